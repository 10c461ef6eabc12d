// Tasks for the tests of the readers: each does what a hostile file might make a parser do.
import { createConnection } from 'node:net'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import type { Tasks } from '../../src/platform/readers/tasks.ts'

const tryTo = (work: () => unknown) => {
  try {
    work()
    return 'allowed'
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}

let refusal: string | undefined

export const tasks: Tasks = {
  echo: (argument, parts) => ({ value: { argument, pid: process.pid }, parts }),
  fail: () => {
    throw new Error('Not understood')
  },
  loop: () => {
    for (;;);
  },
  fill: () => {
    const held: number[][] = []
    for (;;) held.push(Array.from({ length: 1_000_000 }, () => 0.5))
  },
  exit: () => process.exit(3),
  spend: (ms) => {
    const before = process.cpuUsage().user
    while (process.cpuUsage().user - before < (ms as number) * 1000);
    return { value: process.pid }
  },
  connect: () => {
    createConnection(80, '127.0.0.1').on('error', ({ message }) => (refusal = message))
    return { value: undefined }
  },
  sayRefusal: () => ({ value: refusal }),
  misbehave: () => ({
    value: {
      file: tryTo(() => writeFileSync('/tmp/daywright-reader', '')),
      program: tryTo(() => spawnSync('true')),
      environment: Object.keys(process.env).filter((name) => /SECRET|DATABASE_URL/.test(name)),
    },
  }),
}
