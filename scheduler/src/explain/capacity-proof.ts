// Far too much work: a task and those that matter as much or more do not fit before its due date.
import { openAfter } from '../bounds/single-task.ts'
import type { Outlook } from './explanation-context.ts'
import { listed, openWords, span } from './format.ts'

/** Says so of a task in time to come, if it is so. Among tasks of the same windows only. */
export function newCrowd(view: Outlook) {
  const { compiled, title, when } = view
  const { need, due, weight, classOf, horizon, classes } = compiled
  const queues = new Map<string, Queue>()

  function queueOf(j: number) {
    const key = `${classOf[j]} ${weight[j]}`
    let queue = queues.get(key)
    if (!queue) {
      const tasks = Array.from(due.keys()).filter(
        (i) =>
          classOf[i] === classOf[j] && weight[i]! >= weight[j]! && need[i]! > 0 && isAhead(due[i]!),
      )
      queue = newQueue(view, tasks)
      queues.set(key, queue)
    }
    return queue
  }
  const isAhead = (minute: number) => minute > 0 && minute <= horizon

  return (j: number): string | null => {
    if (!isAhead(due[j]!) || !need[j]) return null
    const queue = queueOf(j)
    const count = queue.upTo(due[j]!)
    const total = queue.need[count - 1]!
    const open = openAfter(classes[classOf[j]!]!.free, queue.release[count - 1]!, due[j])
    if (total <= open || count < 2) return null
    const others = queue.tasks.slice(0, 3).filter((i) => i !== j)
    const names = listed([j, ...others].slice(0, count).map(title), count)
    const sum = `These ${count} tasks need ${span(total)} before ${when(due[j]!)}`
    return `${sum}; ${openWords(open)}: ${names}. The others matter as much or more.`
  }
}

type Queue = ReturnType<typeof newQueue>

/** In order of due date, with the sum of the needs and the first release up to each. */
function newQueue({ compiled, taskBounds }: Outlook, unsorted: number[]) {
  const { due } = compiled
  const tasks = unsorted.toSorted((a, b) => due[a]! - due[b]! || a - b)
  let sum = 0
  let first = Infinity
  return {
    tasks,
    need: tasks.map((i) => (sum += compiled.need[i]!)),
    release: tasks.map((i) => (first = Math.min(first, taskBounds.release[i]!))),
    /** How many are due by the minute. */
    upTo(minute: number) {
      let low = 0
      let high = tasks.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (due[tasks[middle]!]! > minute) high = middle
        else low = middle + 1
      }
      return low
    },
  }
}
