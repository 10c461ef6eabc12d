import { Piscina } from 'piscina'
import type { Solved } from './plan-worker.ts'

export type Solve = (problem: string) => Promise<Solved>

/** Runs the planner off the event loop. Threads start with the first run and stop when idle. */
export function solveInThreads(threads: number) {
  let pool: Piscina<string, Solved> | undefined
  const startPool = () =>
    (pool ??= new Piscina({
      filename: new URL('./plan-worker.ts', import.meta.url).href,
      minThreads: 1,
      maxThreads: threads,
      idleTimeout: 60_000,
      concurrentTasksPerWorker: 1,
    }))
  const solve: Solve = (problem) => startPool().run(problem)
  return { solve, stop: async () => pool?.destroy() }
}
