// Runs in its own thread: text in, text out, so that the event loop never parses a problem.
import { createHash } from 'node:crypto'
import { setPriority } from 'node:os'
import { gzipSync } from 'node:zlib'
import { check, plan, type Problem } from '@daywright/scheduler'
import { compareCalendars } from './compare-calendars.ts'
import { summarize } from './summarize.ts'
import { titledBlocks } from './titled-blocks.ts'

// Planning runs at a lower priority than serving. Only Linux has priorities per thread.
if (process.platform === 'linux') setPriority(0, 10)

export type Solved = Awaited<ReturnType<typeof solve>>

export default function solve(input: string) {
  const problem = JSON.parse(input) as Problem
  const made = plan(problem)
  return {
    violations: check(problem, made).map(({ rule, detail }) => `${rule}: ${detail}`),
    inputHash: createHash('sha256').update(input).digest('hex'),
    input: gzipSync(input),
    plan: gzipSync(JSON.stringify(made)),
    detail: gzipSync(JSON.stringify(compareCalendars(problem, made))),
    version: made.version,
    summary: summarize(made),
    changes: { cancel: made.cancel, create: titledBlocks(made.create, problem) },
  }
}
