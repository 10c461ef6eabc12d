// Makes sense of what the processes say: what is under way where, whether a user was planned by two at
// once, and how long what was cut off by a kill waited for someone to go on with it.
import type { Sign, What } from './observe.ts'

type Work = { what: What; key: string; pid: number; at: number }
type Run = Work & { endedAt: number }
type CutOff = Work & { killedAt: number; resumedAt?: number }

export function newWatch(onRun: (userId: string) => void) {
  const underWay = new Map<string, Work>()
  const cutOff: CutOff[] = []
  const runs: Run[] = []
  const counts = { attend: 0, run: 0, send: 0 }
  const name = ({ what, key, pid }: Omit<Work, 'at'>) => `${pid} ${what} ${key}`

  function hear(sign: Sign) {
    const { what, key, at, pid } = sign
    if (!sign.begins) return end(name(sign), at)
    counts[what] += 1
    for (const work of cutOff) {
      const isIt = work.what === what && work.key === key && work.resumedAt === undefined
      if (isIt && at >= work.killedAt) work.resumedAt = at
    }
    if (what === 'run') onRun(key)
    underWay.set(name(sign), { what, key, pid, at })
  }

  function end(id: string, at: number) {
    const work = underWay.get(id)
    underWay.delete(id)
    if (work?.what === 'run') runs.push({ ...work, endedAt: at })
  }

  return {
    hear,
    counts,
    /** How much of it is under way in the process. */
    busyWith: (what: What, pid: number) =>
      [...underWay.values()].filter((work) => work.what === what && work.pid === pid).length,
    /** By the times they said, since the words of two processes may reach us in another order. */
    runsAtOnce() {
      const byUser = Map.groupBy(runs, ({ key }) => key).values()
      return [...byUser].flatMap((mine) => {
        const sorted = mine.toSorted((a, b) => a.at - b.at)
        return sorted.flatMap((run, i) => {
          const next = sorted[i + 1]
          return next && next.at < run.endedAt
            ? [`two runs of ${run.key} at once for ${run.endedAt - next.at} ms`]
            : []
        })
      })
    },
    /** What the process was at when it was killed: its last words have been heard. */
    bury(pid: number, killedAt: number) {
      const left = [...underWay.values()].filter((work) => work.pid === pid)
      for (const work of left) end(name(work), killedAt)
      // A run is part of an attendance, and goes on with it.
      cutOff.push(
        ...left.filter(({ what }) => what !== 'run').map((work) => ({ ...work, killedAt })),
      )
    },
    /** How long what was cut off waited: since the last kill that met the same user before it went on. */
    waits() {
      const userOf = ({ key }: Work) => key.split('/', 1)[0]
      return cutOff.flatMap((work) => {
        if (work.resumedAt === undefined) return []
        const { resumedAt } = work
        const kills = cutOff.filter(
          (other) => userOf(other) === userOf(work) && other.killedAt <= resumedAt,
        )
        return [resumedAt - Math.max(...kills.map(({ killedAt }) => killedAt))]
      })
    },
    cutOff,
  }
}
