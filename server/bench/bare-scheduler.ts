// Plans the given problems repeatedly for a while, with the scheduler only. Runs in its own thread; returns plans
// per second, and CPU time per plan.
import { plan, type Problem } from '@daywright/scheduler'

export default function planForAWhile({
  problems,
  seconds,
}: {
  problems: string[]
  seconds: number
}) {
  const planOf = (n: number) => plan(JSON.parse(problems[n % problems.length] ?? '') as Problem)
  for (let n = 0; n < 200; n += 1) planOf(n) // warms up
  const began = performance.now()
  const used = process.threadCpuUsage()
  let planned = 0
  for (; performance.now() - began < seconds * 1000; planned += 1) planOf(planned)
  const { user, system } = process.threadCpuUsage(used)
  return {
    rate: (planned / (performance.now() - began)) * 1000,
    cpuMs: (user + system) / 1000 / planned,
  }
}
