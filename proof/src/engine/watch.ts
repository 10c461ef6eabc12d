// Evaluates the reports of the processes: which work runs where, whether two runs wrote a user's plan
// concurrently, and how long work interrupted by a kill waited until it was resumed.
import type { Sign, What } from './observe.ts'

type Work = { what: What; key: string; pid: number; at: number }
type Write = Work & { endedAt: number }
type CutOff = Work & { killedAt: number; resumedAt?: number }

const userOf = ({ key }: Work) => key.split('/', 1)[0] ?? ''

export type RunPart = 'run' | 'write'
const isOfRun = (what: What): what is RunPart => what === 'run' || what === 'write'

/** Calls `onRun` when a run begins, and again when its transaction begins. */
export function newWatch(onRun: (userId: string, part: RunPart) => void) {
  const underWay = new Map<string, Work>()
  const cutOff: CutOff[] = []
  const writes: Write[] = []
  const kills: { userId: string; at: number }[] = []
  const pools = new Map<number, string[]>()
  const counts = { job: 0, run: 0, write: 0, send: 0, pool: 0 }
  const name = ({ what, key, pid }: Omit<Work, 'at'>) => `${pid} ${what} ${key}`

  function hear(sign: Sign) {
    const { what, key, at, pid } = sign
    if (!sign.begins) return end(name(sign), at)
    counts[what] += 1
    if (what === 'pool') return void pools.set(pid, [...poolsOf(pid), key])
    for (const work of cutOff) {
      const isIt = work.what === what && work.key === key && work.resumedAt === undefined
      if (isIt && at >= work.killedAt) work.resumedAt = at
    }
    if (isOfRun(what)) onRun(key, what)
    underWay.set(name(sign), { what, key, pid, at })
  }

  function poolsOf(pid: number) {
    return pools.get(pid) ?? []
  }

  function end(id: string, at: number) {
    const work = underWay.get(id)
    underWay.delete(id)
    if (work?.what === 'write') writes.push({ ...work, endedAt: at })
  }

  return {
    hear,
    counts,
    /** The ids under which the process locks jobs. */
    poolsOf,
    /** How many pieces of work of this kind the process is doing. */
    busyWith: (what: What, pid: number) =>
      [...underWay.values()].filter((work) => work.what === what && work.pid === pid).length,
    /** Concurrent writes of one user's plan, by the reported times, since reports may arrive out of order. */
    writesAtOnce() {
      const byUser = Map.groupBy(writes, ({ key }) => key).values()
      return [...byUser].flatMap((mine) => {
        const sorted = mine.toSorted((a, b) => a.at - b.at)
        return sorted.flatMap((write, i) => {
          const next = sorted[i + 1]
          return next && next.at < write.endedAt
            ? [`two runs of ${write.key} write at once for ${write.endedAt - next.at} ms`]
            : []
        })
      })
    },
    /**
     * Records the work that the kill interrupted, once all reports of the process have been read. `locked` are the
     * users whose jobs the process had locked, including jobs that had not reported anything yet.
     */
    bury(pid: number, killedAt: number, locked: string[]) {
      const left = [...underWay.values()].filter((work) => work.pid === pid)
      for (const work of left) end(name(work), killedAt)
      // A run is part of a job, and is resumed with it.
      const jobs = left.filter(({ what }) => !isOfRun(what))
      cutOff.push(...jobs.map((work) => ({ ...work, killedAt })))
      const users = new Set([...locked, ...jobs.map(userOf)])
      kills.push(...[...users].map((userId) => ({ userId, at: killedAt })))
    },
    /** How long interrupted work waited, from the last kill of a process that held a job of the user. */
    waits() {
      return cutOff.flatMap((work) => {
        if (work.resumedAt === undefined) return []
        const { resumedAt } = work
        const before = kills.filter(({ userId, at }) => userId === userOf(work) && at <= resumedAt)
        const ms = resumedAt - Math.max(...before.map(({ at }) => at))
        return [{ what: work.what, key: work.key, ms }]
      })
    },
    cutOff,
  }
}
