import { Piscina } from 'piscina'
import type { Json } from '../../platform/db/statement.ts'
import type { PlannerForecast, Slots } from '@daywright/contract'
import type { SlotRequest } from '@daywright/scheduler'
import type { ForecastTask, Solved, SlotsTask } from './plan-worker.ts'

export type Solve = (problem: string) => Promise<Solved>

/** Questions about a problem that are answered without writing a plan. */
export type Advise = {
  forecast: (problem: string, ratios: readonly number[]) => Promise<Json<PlannerForecast>>
  findSlots: (problem: string, request: SlotRequest) => Promise<Json<Slots>>
}

/** Runs the planner off the event loop. Threads start with the first run and stop when idle. */
export function solveInThreads(threads: number) {
  let pool: Piscina | undefined
  const startPool = () =>
    (pool ??= new Piscina({
      filename: new URL('./plan-worker.ts', import.meta.url).href,
      minThreads: 1,
      maxThreads: threads,
      idleTimeout: 60_000,
      concurrentTasksPerWorker: 1,
    }))
  const solve: Solve = (problem) => startPool().run(problem)
  const ask = (name: string, task: ForecastTask | SlotsTask) =>
    startPool().run(task, { name }) as Promise<string>
  const advise: Advise = {
    forecast: (problem, ratios) => ask('forecastPlan', { problem, ratios }),
    findSlots: (problem, request) => ask('findSlots', { problem, request }),
  }
  return { solve, advise, stop: async () => pool?.destroy() }
}
