// The groups as rows of one list.
import type { ListedTask } from '@daywright/contract'
import type { Group } from '../groups.ts'

export type Row =
  | { kind: 'group'; key: string; group: Group; isClosed: boolean }
  | { kind: 'task'; key: string; task: ListedTask; asksEstimate: boolean }

export function rowsOf(groups: Group[], closed: ReadonlySet<string>): Row[] {
  // A single group without a name needs no heading.
  const isPlain = groups.length === 1 && groups[0]?.key === 'all'
  return groups.flatMap((group) => {
    const isClosed = !isPlain && closed.has(group.key)
    const tasks = isClosed ? [] : group.tasks
    const rows = tasks.map((task): Row => ({
      kind: 'task',
      key: task.id,
      task,
      asksEstimate: group.isUnestimated ?? false,
    }))
    if (isPlain) return rows
    return [{ kind: 'group', key: `group ${group.key}`, group, isClosed }, ...rows]
  })
}
