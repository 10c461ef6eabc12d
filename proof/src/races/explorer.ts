// The explorer as a separate process, so that a fault can be planted in the service it builds. Its part is given
// by the environment, and it reports by messages.
import { explorer } from './explore.ts'
import { scenarios } from './scenarios.ts'
import { newWorld } from './world.ts'

export type Part = {
  databaseUrl: string
  /** Every `worlds`th scenario, from `world` on. */
  world: number
  worlds: number
  count: number
  seed: number
  /** A part of the name of the scenarios to try first. */
  begin?: string
  stopAtFirst: boolean
}

export type Report = { tried: number; traces: number; waits: number; findings: string[] }

const part = JSON.parse(process.env.DAYWRIGHT_RACES ?? '') as Part
const world = await newWorld(part.databaseUrl)
const explore = explorer(world)
const report: Report = { tried: 0, traces: 0, waits: 0, findings: [] }
const traces = new Set<string>()
const { begin = '' } = part
const mine = scenarios.filter((_, number) => number % part.worlds === part.world)
const likely = mine.filter(({ name }) => name.includes(begin))

for (let number = 0; number < part.count; number += 1) {
  if (part.stopAtFirst && report.findings.length > 0) break
  // With a planted fault, mostly the scenarios where it should show.
  const among = number % 8 === 7 ? mine : likely
  const scenario = among[number % among.length]
  if (!scenario) break
  const seed = part.seed + number * part.worlds + part.world
  const { fault, trace } = await explore(scenario, seed)
  report.tried += 1
  traces.add(`${scenario.name} ${trace.join()}`)
  if (trace.some((step) => step.endsWith(' waits'))) report.waits += 1
  if (fault) {
    report.findings.push(`${scenario.name}, seed ${seed}: ${fault}, after ${trace.join(', ')}`)
  }
  if (report.findings.length >= 20) break
}
report.traces = traces.size
process.send?.(report)
await world.end()
process.disconnect?.()
