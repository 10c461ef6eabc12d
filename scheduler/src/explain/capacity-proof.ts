// Proof by capacity: a task and the tasks of the same or a higher weight that are due no later do not fit
// before its due date.
import { openAfter } from '../bounds/single-task.ts'
import type { ExplanationContext } from './explanation-context.ts'
import { formatList, formatShortage } from './format.ts'

/** Returns a function that gives the proof for a late task, or null. It compares only tasks with the
 *  same windows. */
export function capacityProver(context: ExplanationContext) {
  const { compiled, title, when } = context
  const { need, due, weight, classOf, horizon, classes } = compiled
  const orders = new Map<string, DueOrder>()

  function orderFor(j: number) {
    const key = `${classOf[j]} ${weight[j]}`
    let order = orders.get(key)
    if (!order) {
      const tasks = Array.from(due.keys()).filter(
        (i) =>
          classOf[i] === classOf[j] &&
          weight[i]! >= weight[j]! &&
          need[i]! > 0 &&
          isInHorizon(due[i]!),
      )
      order = newDueOrder(context, tasks)
      orders.set(key, order)
    }
    return order
  }
  const isInHorizon = (minute: number) => minute > 0 && minute <= horizon

  return (j: number): string | null => {
    if (!isInHorizon(due[j]!) || !need[j]) return null
    const order = orderFor(j)
    const count = order.countDueBy(due[j]!)
    const total = order.need[count - 1]!
    const open = openAfter(classes[classOf[j]!]!.free, order.release[count - 1]!, due[j])
    if (total <= open || count < 2) return null
    const others = order.tasks.slice(0, 3).filter((i) => i !== j)
    const names = formatList([j, ...others].slice(0, count).map(title), count)
    const shortage = formatShortage(`before ${when(due[j]!)}`, count, total, open)
    return `${shortage} ${names}. The others matter as much or more.`
  }
}

type DueOrder = ReturnType<typeof newDueOrder>

/** The tasks in order of due date, with the total need and the earliest release up to each task. */
function newDueOrder({ compiled, taskBounds }: ExplanationContext, unsorted: number[]) {
  const { due } = compiled
  const tasks = unsorted.toSorted((a, b) => due[a]! - due[b]! || a - b)
  let sum = 0
  let first = Infinity
  return {
    tasks,
    need: tasks.map((i) => (sum += compiled.need[i]!)),
    release: tasks.map((i) => (first = Math.min(first, taskBounds.release[i]!))),
    /** How many tasks are due by the minute. */
    countDueBy(minute: number) {
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
