import { useMemo, useState } from 'react'
import type { Group } from '../groups.ts'
import { rowsOf } from './rows.ts'

/** The rows of the list, without the tasks of closed groups. */
export function useRows(groups: Group[]) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => rowsOf(groups, closed), [groups, closed])
  return {
    rows,
    /** The ids of the tasks, from top to bottom. */
    order: useMemo(() => rows.flatMap((row) => (row.kind === 'task' ? [row.key] : [])), [rows]),
    tasks: useMemo(
      () => new Map(rows.flatMap((row) => (row.kind === 'task' ? [[row.key, row.task]] : []))),
      [rows],
    ),
    toggleGroup: (key: string) => setClosed(toggle(closed, key)),
  }
}

function toggle(keys: ReadonlySet<string>, key: string) {
  const after = new Set(keys)
  if (!after.delete(key)) after.add(key)
  return after
}
