// Executes a plan once, with given amounts of work. Sessions begin as planned or later, in the planned
// order. The last session of a task goes on until its work is done and may delay the sessions after it;
// free time in the windows absorbs the delay.
import type { Compiled } from '../problem/compile.ts'
import type { PlannedWork } from './planned-work.ts'

/** Stretches of the horizon in which the same windows are open. */
type OpenTime = {
  ends: Int32Array
  /** 1 if the window set is open: by stretch, then by number of the set. */
  isOpen: Uint8Array
  sets: number
}

const openTimeOf = ({ classes, horizon }: Compiled): OpenTime => {
  const edges = new Set([0, horizon])
  for (const { free } of classes) for (const edge of free) edges.add(edge)
  const sorted = [...edges].toSorted((a, b) => a - b)
  const sets = classes.length
  const isOpen = new Uint8Array((sorted.length - 1) * sets)
  for (const [set, { free }] of classes.entries()) {
    let k = 0
    for (let cell = 0; cell + 1 < sorted.length; cell++) {
      while (k < free.length && free[k + 1]! <= sorted[cell]!) k += 2
      if (k < free.length && free[k]! <= sorted[cell]!) isOpen[cell * sets + set] = 1
    }
  }
  return { ends: Int32Array.from(sorted.slice(1)), isOpen, sets }
}

/** Returns a function that writes to `finish`, per task, when its work is done, or `Infinity` if not within
 *  the horizon. `work` holds the minutes of each task and is modified. */
export const executionOf = (compiled: Compiled, planned: PlannedWork) => {
  const { ends, isOpen, sets } = openTimeOf(compiled)
  const { horizon } = compiled
  const { tasks, isComplete, predecessors, sessions } = planned
  const count = sessions.length
  const task = Int32Array.from(sessions, (session) => session.task)
  const start = Float64Array.from(sessions, (session) => session.start)
  const isKept = Uint8Array.from(sessions, (session) => (session.isKept ? 1 : 0))
  const set = Int32Array.from(sessions, (session) => compiled.classOf[tasks[session.task]!]!)
  // The last session of a task has no length: it goes on until the work is done.
  const isOpenEnded = Uint8Array.from(sessions, (session) =>
    session.isLast && isComplete[session.task] ? 1 : 0,
  )
  const minutes = Float64Array.from(sessions, (session) => session.minutes)
  const left = new Float64Array(count)
  const pending = new Int32Array(count)

  const waits = (j: number, work: Float64Array) => {
    for (const other of predecessors[j]!) if (work[other]! > 0) return true
    return false
  }

  return (work: Float64Array, finish: Float64Array): void => {
    finish.fill(Infinity)
    let waiting = 0
    let next = 0
    let cell = 0
    let now = 0
    while (now < horizon && (waiting > 0 || next < count)) {
      for (; next < count && start[next]! <= now; next++) {
        const j = task[next]!
        if (work[j]! <= 0) continue
        left[next] = isOpenEnded[next] ? Infinity : minutes[next]!
        if (isKept[next]) {
          const spent = Math.min(work[j]!, minutes[next]!)
          work[j]! -= spent
          if (work[j]! <= 0) finish[j] = start[next]! + spent
          // No other work may use the kept time, so the remaining work cannot begin before its end.
          if (work[j]! <= 0 || !isOpenEnded[next]) continue
        }
        pending[waiting++] = next
      }
      while (ends[cell]! <= now) cell++
      let chosen = -1
      for (let i = 0; i < waiting; i++) {
        const session = pending[i]!
        if (!isOpen[cell * sets + set[session]!]) continue
        if (predecessors[task[session]!]!.length > 0 && waits(task[session]!, work)) continue
        chosen = i
        break
      }
      if (chosen < 0) {
        now = Math.min(ends[cell]!, next < count ? start[next]! : horizon)
        continue
      }
      const session = pending[chosen]!
      const j = task[session]!
      const wanted = Math.min(work[j]!, left[session]!)
      const spent = Math.min(wanted, ends[cell]! - now)
      now += spent
      if (spent < wanted) {
        work[j]! -= spent
        left[session]! -= spent
        continue
      }
      work[j] = left[session]! < work[j]! ? work[j]! - spent : 0
      if (work[j] === 0) finish[j] = now
      // Other sessions of a task that is done are no longer needed.
      let stay = 0
      for (let i = 0; i < waiting; i++) {
        const other = pending[i]!
        if (other === session || work[task[other]!] === 0) continue
        pending[stay++] = other
      }
      waiting = stay
    }
  }
}
