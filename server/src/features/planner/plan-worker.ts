// Runs in its own thread: text in, text out, so that the event loop never parses a problem.
import { createHash } from 'node:crypto'
import { setPriority } from 'node:os'
import { gzipSync } from 'node:zlib'
import type { PlannerResult } from '@daywright/contract'
import {
  check,
  findMeetingSlots,
  forecast,
  plan,
  type Plan,
  type SlotRequest,
} from '@daywright/scheduler'
import { changesOf, compareCalendars } from './plan-changes.ts'
import { parseProblem } from './parse-problem.ts'

// Planning runs at a lower priority than serving. Only Linux has priorities per thread.
if (process.platform === 'linux') setPriority(0, 10)

export type Solved = Awaited<ReturnType<typeof solve>>

export default function solve(input: string) {
  const problem = parseProblem(input)
  const made = plan(problem)
  return {
    fromScratch: problem.fromScratch ?? false,
    violations: check(problem, made).map(({ rule, detail }) => `${rule}: ${detail}`),
    inputHash: createHash('sha256').update(input).digest('hex'),
    input: gzipSync(input),
    plan: gzipSync(JSON.stringify(made)),
    detail: gzipSync(JSON.stringify(compareCalendars(problem, made))),
    version: made.version,
    summary: summarize(made),
    changes: changesOf(made, problem),
  }
}

export type ForecastTask = { problem: string; ratios: readonly number[] }
export type SlotsTask = { problem: string; request: SlotRequest }

export function forecastPlan({ problem, ratios }: ForecastTask) {
  const found = forecast(parseProblem(problem), ratios)
  return toJson({ ...found, completedTasks: ratios.length })
}

export function findSlots({ problem, request }: SlotsTask) {
  const input = parseProblem(problem)
  return toJson(findMeetingSlots(input, request))
}

const instants = new Set([
  'startAt',
  'endAt',
  'dueAt',
  'startAfter',
  'bookedOutUntil',
  'from',
  'until',
])

/** Writes instants as timestamps. The `from` of a move is an object, not an instant. */
const toJson = (answer: object) =>
  JSON.stringify(answer, (name, value: unknown) =>
    instants.has(name) && typeof value === 'number' ? new Date(value).toISOString() : value,
  )

const fourDays = 4 * 1440

/** The summary of a run: the contract's answer, its cost, the lower bound, and the gap between them. */
function summarize({ timezone, create, atRisk, unscheduled, oversized, cost, bound }: Plan) {
  const result: PlannerResult = {
    ok: true,
    timezone,
    tasksScheduled: create.length,
    tasksAtRisk: atRisk.length,
    tasksUnscheduled: unscheduled.length,
    tasksOversized: oversized.length,
    atRiskTaskIds: atRisk.map(({ taskId }) => taskId),
    unscheduledTaskIds: unscheduled.map(({ taskId }) => taskId),
    oversizedTaskIds: oversized,
  }
  // Relative to the lower bound. Four days are added to it, so that a small difference gives a small gap.
  const gap = (cost.lateness - bound.lateness) / (bound.lateness + fourDays)
  return { result, cost, bound, gap }
}
