// Counts the steps of a piece of work: how often each block of our code and of libraries ran. Unlike a time, the
// count is the same on a busy machine. Regular expressions and built-in functions are not counted, so their processor
// time is measured as well.
import { Session } from 'node:inspector'

export type Cost = { steps: number; cpuMs: number }

type Coverage = {
  result: { url: string; functions: { ranges: { count: number }[] }[] }[]
}

export function startCounting() {
  const session = new Session()
  session.connect()
  const post = (method: string, parameters: object = {}) => {
    let answer: unknown
    // The session is of this thread, so it answers at once.
    session.post(method, parameters, (error, result) => {
      if (error) throw error
      answer = result
    })
    return answer
  }
  post('Profiler.enable')
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

  /**
   * The cost of the work. What it throws is ignored: most inputs are refused. Whatever has run since the last count is
   * counted as well; here, that is next to nothing.
   */
  async function costOf(work: () => unknown): Promise<Cost> {
    const before = process.cpuUsage()
    try {
      await work()
    } catch {
      // Refused.
    }
    const { user, system } = process.cpuUsage(before)
    const { result } = post('Profiler.takePreciseCoverage') as Coverage
    let steps = 0
    for (const { url, functions } of result) {
      // The others are Node's own.
      if (!url.startsWith('file:')) continue
      for (const { ranges } of functions) for (const { count } of ranges) steps += count
    }
    return { steps, cpuMs: (user + system) / 1000 }
  }

  return costOf
}
