// Faults that show only under concurrency.
import type { Mutant } from '../kit/harness.ts'

const src = 'server/src'
const lock = 'await lockUser(transaction, userId)'

export const mutants: Mutant[] = [
  {
    name: 'two runs of the planner do not wait for each other',
    control: 'planner × planner',
    edits: [{ file: `${src}/planner/run-planner.ts`, find: lock, replace: '', nth: 0 }],
  },
  {
    name: 'a transaction sees the world as it was before it waited',
    control: 'planner × planner',
    edits: [
      {
        file: `${src}/db/database.ts`,
        find: `db.query('begin')`,
        replace: `db.query('begin isolation level repeatable read')`,
      },
    ],
  },
  {
    name: 'a plan is written over blocks that were dragged meanwhile',
    control: 'of a block',
    edits: [
      {
        file: `${src}/planner/change-plan.queries.ts`,
        find: 'held.length !== changes.cancel.length',
        replace: 'false',
      },
    ],
  },
  {
    name: 'the planner deletes a task that was just restored from the archive',
    control: 'clears away × edit',
    edits: [
      {
        file: `${src}/planner/retention.queries.ts`,
        find: 'order by id\n     for update',
        replace: '',
      },
    ],
  },
  {
    name: 'a block takes its title from the task as it is when it is written',
    control: 'edit of what it plans',
    edits: [
      {
        file: `${src}/planner/change-plan.queries.ts`,
        find: 'task.id, made.title',
        replace: 'task.id, task.title',
      },
    ],
  },
  {
    name: 'a preview is applied twice',
    control: 'apply × apply',
    edits: [{ file: `${src}/planner/apply-run.ts`, find: lock, replace: '' }],
  },
  {
    name: 'a run is undone twice',
    control: 'undo × undo',
    edits: [{ file: `${src}/planner/undo-run.ts`, find: lock, replace: '' }],
  },
  {
    name: 'blocks are locked before tasks, and a deadlock is not tried again',
    control: 'planner × delete of a task',
    edits: [
      { file: `${src}/db/violations.ts`, find: `, '40P01'`, replace: '' },
      {
        file: `${src}/planner/change-plan.queries.ts`,
        find: '  const made = blocks.length ? await insert(db, userId, JSON.stringify(blocks), runId) : []\n',
        replace: '',
      },
      {
        file: `${src}/planner/change-plan.queries.ts`,
        find: '  if (held.length',
        replace: `  const made = await insert(db, userId, JSON.stringify(blocks), runId)
  if (held.length`,
      },
    ],
  },
  {
    name: 'a foreign key violation is not retried',
    control: 'delete space × task',
    edits: [{ file: `${src}/db/violations.ts`, find: `'23503', `, replace: '' }],
  },
  {
    name: 'conflicts are not retried',
    control: 'delete',
    edits: [{ file: `${src}/http/write.ts`, find: 'const tries = 3', replace: 'const tries = 1' }],
  },
  {
    name: 'dependencies create a cycle',
    control: 'dependenc',
    edits: [{ file: `${src}/tasks/dependencies.queries.ts`, find: lock, replace: '' }],
  },
  {
    name: 'a task is read, changed and written back whole',
    control: 'title × priority',
    edits: [
      {
        file: `${src}/tasks/tasks.queries.ts`,
        find: `function update(db: Db, userId: string, id: string, changes: object, now: Date, ids?: string[]) {
  const values = [userId, id, columns(changes)]`,
        replace: `async function update(db: Db, userId: string, id: string, changes: object, now: Date, ids?: string[]) {
  const { title, priority, estimateMinutes } = JSON.parse(await findTask(db, userId, id))
  const values = [userId, id, columns({ title, priority, estimateMinutes, ...changes })]`,
      },
    ],
  },
  {
    name: 'labels are replaced as the statement found them',
    control: 'labels of a task replaced',
    edits: [
      {
        file: `${src}/tasks/tasks.queries.ts`,
        find: ' and old.updated_at = checked.updated_at',
        replace: '',
      },
    ],
  },
  {
    name: 'blocks are reordered one after the other, each for itself',
    control: 'reorder',
    edits: [
      {
        file: `${src}/time-blocks/time-blocks.queries.ts`,
        find: 'const [row] = await reorder(db, userId, orderedIds)',
        replace: `for (const [place, id] of orderedIds.entries())
    await update(db, userId, id, columns({ sortOrder: place }), new Date().toISOString())
  const row = { found: orderedIds.length }`,
      },
    ],
  },
  {
    name: 'a label’s name is looked for before it is written',
    control: 'label × label',
    edits: [
      {
        file: `${src}/labels/labels.queries.ts`,
        find: `export const createLabel = (db: Db, userId: string, { name, color = null }: NewLabel) =>
  insert(db, userId, newId(), name, color).catch(nameTaken)`,
        replace: `export const createLabel = async (db: Db, userId: string, { name, color = null }: NewLabel) => {
  const known = JSON.parse(await list(db, userId))
  if (known.some((label: Label) => label.name === name)) throw conflict('Label name already in use')
  return insert(db, userId, newId(), name, color)
}`,
      },
    ],
  },
  {
    name: 'a morning summary is looked for before it is written, and nothing else holds it',
    control: 'morning summary × morning',
    edits: [
      { file: `${src}/notifications/generate-notification.ts`, find: lock, replace: '' },
      {
        file: `${src}/notifications/write-morning-summary.ts`,
        find: `  await writeNote(`,
        replace: `  const { rows } = await db.query<{ id: string }>({
    name: 'looked',
    text: "select id from notifications where user_id = $1 and type = 'morning_summary'",
    values: [userId],
  })
  if (rows.length > 0) return 1
  await writeNote(`,
      },
      {
        file: `${src}/notifications/write-morning-summary.ts`,
        find: 'once: day.date,',
        replace: '',
      },
    ],
  },
  {
    name: 'two alerts at once speak of the same tasks',
    control: 'at-risk alert × at-risk',
    edits: [{ file: `${src}/notifications/generate-notification.ts`, find: lock, replace: '' }],
  },
  {
    name: 'an Idempotency-Key is taken after the work instead of before',
    control: 'the same Idempotency-Key',
    edits: [
      {
        file: `${src}/http/write.ts`,
        find: `  const [mine] = await claim(db, userId, key, fingerprint, now.toISOString(), oldestKept(now))
  if (mine) return { freed: mine.bytes + (await forgetOldKeys(db, userId, now)) }
  const [first] = await recall(db, userId, key)
  if (`,
        replace: `  const [first] = await recall(db, userId, key)
  if (!first) return { freed: 0 }
  if (`,
      },
      {
        file: `${src}/http/write.ts`,
        find: 'const answer = await work()',
        replace: `const answer = await work()
      await claim(transaction, userId, key, Buffer.from(''), now().toISOString(), oldestKept(now()))`,
      },
    ],
  },
  {
    name: 'a new account’s profile is looked for before it is made',
    control: 'first use of an account',
    edits: [
      {
        file: `${src}/auth/provide-profile.ts`,
        find: 'on conflict (id) do nothing',
        replace: '',
      },
      {
        file: `${src}/auth/provide-profile.ts`,
        find: '     where id = $1\n',
        replace: '     where id = $1 and not exists (select from users where id = $1)\n',
      },
    ],
  },
  {
    name: 'an instance is claimed by check-then-write',
    control: 'one admin',
    edits: [
      {
        file: `${src}/auth/provide-profile.ts`,
        find: `   where first_user_id is null
  returning`,
        replace: `   where exists (select from auth.instance where first_user_id is null)
  returning`,
      },
    ],
  },
  {
    name: 'API keys are counted without waiting for each other',
    control: '25th API key',
    edits: [{ file: `${src}/api-keys/api-keys.queries.ts`, find: lock, replace: '' }],
  },
]
