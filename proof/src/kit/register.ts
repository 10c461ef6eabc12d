// What the service has acknowledged, compared with the data: nothing may be missing, duplicated, or in the state
// before its last change.
import type pg from 'pg'

/** The expected records by kind and id; `runs` counts planner runs, of which a hundred are kept. */
export type Register = {
  userId: string
  records: Map<string, string>
  runs: number
  /** Acknowledged writes with a key, since the keys were last deleted. */
  keys: number
  /** All acknowledged writes. */
  acknowledged: number
  replayed: number
}

export const newRegister = (userId: string): Register => ({
  userId,
  records: new Map(),
  runs: 0,
  keys: 0,
  acknowledged: 0,
  replayed: 0,
})

/** Formats values as the query `rows` below does. */
export const shown = {
  task: (task: { title: string; status: string; sortOrder: number; stamped: boolean }) =>
    `${task.title}|${task.status}|${task.sortOrder}|${task.stamped}`,
  block: (block: { startAt: string; sortOrder: number; taskId: string | null }) =>
    `${block.startAt}|${block.sortOrder}|${block.taskId ?? 'none'}`,
  item: (item: { title: string; completed: boolean }) => `${item.title}|${item.completed}`,
}

const rows = `
  select user_id, 'task ' || id as record,
         concat_ws('|', title, status, sort_order,
                   case when completed_at is null then 'false' else 'true' end) as value from tasks
  union all
  select user_id, 'block ' || id,
         concat_ws('|', iso(start_at), sort_order, coalesce(task_id::text, 'none'))
    from time_blocks where source = 'manual'
  union all
  select user_id, 'item ' || id,
         concat_ws('|', title, case when completed then 'true' else 'false' end) from checklist_items
  union all
  select user_id, 'label ' || id, name from labels
  union all
  select user_id, 'document ' || id, title from documents
  union all
  select user_id, 'run ' || id, state from planner_runs`

const counts = `
  select id as user_id,
         (select count(*)::int from planner_runs where user_id = users.id) as runs,
         (select count(*)::int from idempotency_keys where user_id = users.id) as keys
    from users`

/** How the data differs from the acknowledged state. There must be no concurrent writes. */
export async function compare(db: pg.Client, registers: Register[], countKeys = true) {
  const wrong: string[] = []
  const found = await db.query<{ user_id: string; record: string; value: string }>(rows)
  const counted = await db.query<{ user_id: string; runs: number; keys: number }>(counts)
  for (const { userId, records, runs, keys } of registers) {
    const there = new Map(
      found.rows.filter((row) => row.user_id === userId).map((row) => [row.record, row.value]),
    )
    for (const [record, value] of records) {
      const actual = there.get(record)
      const isTrimmed = record.startsWith('run ') && runs > 100
      if (actual === undefined && !isTrimmed) wrong.push(`lost: ${record} (${value})`)
      if (actual !== undefined && actual !== value) {
        wrong.push(`${record} is ${actual}, acknowledged was ${value}`)
      }
    }
    for (const [record, value] of there) {
      // A run's id is in a header, which a replay does not have.
      if (!records.has(record) && !record.startsWith('run ')) {
        wrong.push(`never acknowledged, or doubled: ${record} (${value})`)
      }
    }
    const count = counted.rows.find((row) => row.user_id === userId)
    const wanted = Math.min(runs, 100)
    if (count?.runs !== wanted) wrong.push(`${count?.runs} planner runs, acknowledged ${wanted}`)
    if (countKeys && count?.keys !== keys) {
      wrong.push(`${count?.keys} keys kept, acknowledged ${keys}`)
    }
  }
  return wrong
}

/** Deletes keys that are no longer needed, so that the check stays cheap. */
export async function forgetKeys(db: pg.Client, registers: Register[]) {
  await db.query('delete from idempotency_keys')
  for (const register of registers) register.keys = 0
}
