import { onTestFinished } from 'vitest'
import { createDatabase } from '../../../test/databases.ts'
import { describe, expect, it, newPerson, type Person, testApp } from '../../../test/it.ts'
import { migrationsBefore } from '../../../test/migrations-before.ts'
import { connect, type Database } from '../../platform/db/database.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { newId } from '../../platform/db/new-id.ts'

type Shown = { type: string; before?: object; after?: object }

const at = '2026-03-01T08:00:00.000Z'

/** A document as events showed it before the migration: with its whole text. */
const shown = (userId: string, id: string, title: string, content: string) => ({
  id,
  userId,
  spaceId: null,
  projectId: null,
  title,
  content,
  url: null,
  docType: 'note',
  sortOrder: 0,
  createdAt: at,
  updatedAt: at,
})

const pastOf =
  (db: Database, { id: userId }: Person) =>
  async (recordId: string, { type, before, after }: Shown) => {
    const { rows } = await db.pool.query<{ seq: number }>(
      `insert into agendas (user_id, last_event) values ($1, 1)
       on conflict (user_id) do update set last_event = agendas.last_event + 1
       returning last_event as seq`,
      [userId],
    )
    await db.pool.query(
      `insert into events (user_id, seq, part, type, record_id, before, after, actor)
       values ($1, $2, 1, $3, $4, $5, $6, '{"kind": "person"}')`,
      [userId, rows[0]?.seq, type, recordId, before, after],
    )
  }

describe('the migration that moves document texts out of events', () => {
  it('keeps every text that a version and a revert need, for each user', async ({ url, now }) => {
    const database = await createDatabase(url)
    onTestFinished(database.drop)
    await migrate(database.url, await migrationsBefore('0007'))
    const db = connect(database.url)
    onTestFinished(() => db.end())
    const app = await testApp(db, () => now)
    const [ada, grace] = [await newPerson(app, db), await newPerson(app, db)]
    const [brief, lost, hers, task] = [newId(), newId(), newId(), newId()]
    const first = shown(ada.id, brief, 'Brief', 'First')
    const second = { ...first, content: 'Sécond' }
    const renamed = { ...second, title: 'Short brief' }
    const gone = shown(ada.id, lost, 'Lost', 'x'.repeat(5000))
    const same = shown(grace.id, hers, 'Same text', 'First')
    const other = { ...same, content: '' }
    const past = pastOf(db, ada)
    await past(brief, { type: 'document.created', after: first })
    await past(brief, { type: 'document.updated', before: first, after: second })
    await past(brief, { type: 'document.updated', before: second, after: renamed })
    await past(lost, { type: 'document.created', after: gone })
    await past(lost, { type: 'document.deleted', before: gone })
    await past(task, { type: 'task.created', after: { id: task, content: 'no document' } })
    await pastOf(db, grace)(hers, { type: 'document.updated', before: same, after: other })
    for (const { userId, id, title, content } of [renamed, other]) {
      await db.pool.query(
        `insert into documents (user_id, id, title, content, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $5)`,
        [userId, id, title, content, at],
      )
    }

    await migrate(database.url)

    const { rows: whole } = await db.pool.query(
      `select type from events
        where jsonb_typeof(before -> 'content') = 'string'
           or jsonb_typeof(after -> 'content') = 'string'`,
    )
    expect(whole).toEqual([{ type: 'task.created' }])
    const { body: usage } = await ada.get('/api/usage')
    expect(usage).toMatchObject({ documents: { used: 1 }, textBytes: { used: 7 } })
    expect(usage.historyBytes.used).toBeGreaterThan(5000)

    const { events } = (await ada.get(`/api/history?recordId=${brief}`)).body
    const [rename, rewrite, create] = events
    expect(create.after.content).toEqual({ hash: expect.any(String), length: 5 })
    expect(rewrite.before.content).toEqual(create.after.content)
    expect(rewrite.after.content).toEqual({ hash: expect.any(String), length: 7 })
    const versionOf = async (person: Person, id: string, { content }: typeof create.after) =>
      (await person.get(`/api/documents/${id}/versions/${content.hash}`)).body.content
    expect(await versionOf(ada, brief, rewrite.before)).toBe('First')
    expect(await versionOf(ada, brief, rewrite.after)).toBe('Sécond')

    const [deletion] = (await ada.get(`/api/history?recordId=${lost}`)).body.events
    for (const { id } of [rename, rewrite, deletion]) {
      expect((await ada.post(`/api/history/${id}/revert`)).status).toBe(200)
    }
    expect((await ada.get(`/api/documents/${brief}`)).body).toMatchObject({
      title: 'Brief',
      content: 'First',
    })
    expect((await ada.get(`/api/documents/${lost}`)).body).toMatchObject(gone)

    const [change] = (await grace.get(`/api/history?recordId=${hers}`)).body.events
    expect(await versionOf(grace, hers, change.before)).toBe('First')
    expect((await grace.post(`/api/history/${change.id}/revert`)).status).toBe(200)
    expect((await grace.get(`/api/documents/${hers}`)).body.content).toBe('First')
  })
})
