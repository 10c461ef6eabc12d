import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { caller, describe, expect, it as base, signUp, testApp } from '../../../test/it.ts'
import { createDatabase } from '../../../test/databases.ts'
import { connect } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { restoreBackup } from './restore-backup.ts'
import { leftOut, tablesOf } from './tables.ts'
import { writeBackup } from './write-backup.ts'

const it = base
  .extend('file', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'daywright-backup-'))
    onCleanup(() => rm(folder, { recursive: true }))
    return join(folder, 'backup.gz')
  })
  .extend('emptyUrl', async ({ url }, { onCleanup }) => {
    const { url: empty, drop } = await createDatabase(url)
    onCleanup(drop)
    await migrate(empty)
    return empty
  })

/** Columns that a restore changes: event numbers get a gap, and webhooks and plan calendars are disabled. */
const changedByRestore: Record<string, string[]> = {
  'public.user_state': ['last_event', 'has_webhooks'],
  'public.webhooks': ['disabled_at', 'disabled_reason'],
  'public.plan_calendars': ['next_sync_at', 'leased_until', 'failures', 'error'],
}

/** Every row of every table as text, without the columns that a restore changes. */
async function contentOf(url: string) {
  const db = connect(url)
  const client = await db.pool.connect()
  try {
    const content: Record<string, string[]> = {}
    for (const table of await tablesOf(client)) {
      const { rows } = await client.query<{ row: string }>(
        `select (to_jsonb(r) - '{${(leftOut[table] ?? changedByRestore[table] ?? []).join(',')}}'::text[])::text as row
           from ${table} r
          where to_jsonb(r) ->> 'type' is distinct from 'account.restored'
          order by 1`,
      )
      content[table] = rows.map(({ row }) => row)
    }
    return content
  } finally {
    client.release()
    await db.end()
  }
}

describe('backup and restore', () => {
  it('restore every row, the passwords and the keys', async ({ app, url, now, file, emptyUrl }) => {
    const ada = await signUp(app, 'ada@example.com')
    const { body: key } = await ada.post('/api/api-keys', { name: 'script' })
    const { body: label } = await ada.post('/api/labels', { name: 'zu Hause 🏡', color: '#00FF00' })
    const { body: parent } = await ada.post('/api/tasks', { title: 'Parent', labelIds: [label.id] })
    for (let number = 0; number < 1100; number += 1) {
      await ada.post('/api/tasks', { title: `Task "${number}"\n\\ tab\t`, parentTaskId: parent.id })
    }
    await ada.post('/api/documents', { title: 'Doc', content: '# Ünïcode\n{"table":"tasks"}' })
    await ada.post('/api/notifications', { type: 'morning_summary' })
    const before = await contentOf(url)

    const written = await writeBackup(url, file)
    const restored = await restoreBackup(emptyUrl, file)

    expect(restored).toBe(written)
    expect(await contentOf(emptyUrl)).toEqual(before)
    const db = connect(emptyUrl)
    const again = await testApp(db, () => now)
    const withKey = caller(again, { authorization: `Bearer ${key.key}` })
    expect((await withKey.get('/api/tasks')).body.pagination.total).toBe(1101)
    await db.end()
  })

  it('do not include sessions: all users must sign in again', async ({
    app,
    url,
    db,
    now,
    file,
    emptyUrl,
  }) => {
    const ada = await signUp(app)
    const { rows } = await db.pool.query<{ secret: string; token: string }>(
      'select secret, token from auth.instance, auth.sessions where user_id = $1',
      [ada.id],
    )
    const { secret = '', token = '' } = rows[0] ?? {}

    await writeBackup(url, file)
    await restoreBackup(emptyUrl, file)

    const text = gunzipSync(await readFile(file)).toString()
    expect(text).toContain(ada.email)
    for (const hidden of [secret, token]) {
      expect(hidden.length).toBeGreaterThan(20)
      expect(text).not.toContain(hidden)
    }
    const restored = connect(emptyUrl)
    onTestFinished(() => restored.end())
    const again = await testApp(restored, () => now)
    expect((await caller(again, { cookie: ada.cookie }).get('/api/user')).status).toBe(401)
    const signIn = await again.inject({
      method: 'POST',
      url: '/api/auth/sign-in/email',
      payload: { email: ada.email, password: 'correct horse battery staple' },
    })
    expect(signIn.statusCode).toBe(200)
  })

  it('ignore the sessions in a backup of an older version', async ({
    app,
    url,
    file,
    emptyUrl,
  }) => {
    await signUp(app)
    await writeBackup(url, file)
    const lines = gunzipSync(await readFile(file))
      .toString()
      .trimEnd()
      .split('\n')
    const { end } = JSON.parse(lines.pop() ?? '') as { end: number }
    lines.push('{"table":"auth.sessions"}', '{"id":"x","token":"y"}', `{"end":${end + 1}}`, '')
    await writeFile(file, gzipSync(lines.join('\n')))

    expect(await restoreBackup(emptyUrl, file)).toBe(end + 1)
  })

  it('begin a new epoch: readers ahead of the backup must resync, and no event number is reused', async ({
    app,
    url,
    now,
    file,
    emptyUrl,
  }) => {
    const ada = await signUp(app)
    const { body: key } = await ada.post('/api/api-keys', { name: 'script' })
    const { body: hook } = await ada.post('/api/webhooks', { url: 'https://example.com' })
    await writeBackup(url, file)
    const { body: known } = await ada.get('/api/changes')
    for (const name of ['a', 'b', 'c']) await ada.post('/api/labels', { name })
    const { body: ahead } = await ada.get('/api/changes')
    await restoreBackup(emptyUrl, file)
    const db = connect(emptyUrl)
    onTestFinished(() => db.end())
    const script = caller(await testApp(db, () => now), { authorization: `Bearer ${key.key}` })

    for (const name of ['x', 'y', 'z', 'later']) await script.post('/api/labels', { name })

    const { body: stale } = await script.get(`/api/changes?since=${ahead.next}`)
    expect(stale).toMatchObject({ resyncRequired: true, more: false })
    const { body: nothing } = await script.get(`/api/changes?since=${stale.next}`)
    expect(nothing).toMatchObject({ resyncRequired: false, events: [] })
    const { body: since } = await script.get(`/api/changes?since=${known.next}`)
    expect(since.resyncRequired).toBe(false)
    expect(since.events.map(({ type }: { type: string }) => type)).toEqual([
      'account.restored',
      'label.created',
      'label.created',
      'label.created',
      'label.created',
    ])
    const given = new Set(ahead.events.map(({ id }: { id: string }) => id))
    expect(since.events.filter(({ id }: { id: string }) => given.has(id))).toEqual([])
    // A copy does not send again what the original has sent.
    expect((await script.get('/api/webhooks')).body).toMatchObject([
      { id: hook.id, enabled: false, disabledReason: expect.stringContaining('Restored') },
    ])
  })

  it('do not write to a calendar until its password is changed', async ({
    app,
    url,
    file,
    emptyUrl,
  }) => {
    const ada = await signUp(app)
    const account = { url: 'https://dav.example.com/plan/', username: 'ada', password: 'secret' }
    await ada.post('/api/plan-calendars', account)
    await writeBackup(url, file)

    await restoreBackup(emptyUrl, file)

    const db = connect(emptyUrl)
    onTestFinished(() => db.end())
    const { rows } = await db.pool.query(
      'select next_sync_at, failures, error from plan_calendars where user_id = $1',
      [ada.id],
    )
    expect(rows).toEqual([
      { next_sync_at: null, failures: 1, error: expect.stringContaining('Restored') },
    ])
  })

  it('leave webhooks enabled on request', async ({ app, url, file, emptyUrl }) => {
    const ada = await signUp(app)
    await ada.post('/api/webhooks', { url: 'https://example.com' })
    await writeBackup(url, file)

    await restoreBackup(emptyUrl, file, { sendsWebhooks: true })

    const db = connect(emptyUrl)
    onTestFinished(() => db.end())
    const { rows } = await db.pool.query(
      `select webhook.disabled_at, user_state.has_webhooks
         from webhooks webhook join user_state using (user_id) where user_id = $1`,
      [ada.id],
    )
    expect(rows).toEqual([{ disabled_at: null, has_webhooks: true }])
  })

  it('restore nothing from a truncated file', async ({ app, url, file, emptyUrl }) => {
    const ada = await signUp(app)
    await ada.post('/api/tasks', { title: 'A task' })
    await writeBackup(url, file)
    await truncate(file, 700)
    const before = await contentOf(emptyUrl)

    await expect(restoreBackup(emptyUrl, file)).rejects.toThrow()

    expect(await contentOf(emptyUrl)).toEqual(before)
  })

  it('give rows of an older version the defaults of newer columns', async ({
    app,
    url,
    file,
    emptyUrl,
  }) => {
    await signUp(app)
    await writeBackup(url, file)
    const db = connect(emptyUrl)
    onTestFinished(() => db.end())
    await db.pool.query('alter table users add column newer integer not null default 7')

    await restoreBackup(emptyUrl, file)

    const { rows } = await db.pool.query('select distinct newer from users')
    expect(rows).toEqual([{ newer: 7 }])
  })

  it('refuse to restore over existing accounts', async ({ app, url, file }) => {
    await signUp(app)
    await writeBackup(url, file)

    await expect(restoreBackup(url, file)).rejects.toThrow('There are already accounts')
  })

  it('leave no file behind if the backup fails', async ({ file }) => {
    const nowhere = 'postgres://unknown@127.0.0.1:1/none'

    await expect(writeBackup(nowhere, file)).rejects.toThrow()

    expect(await readdir(join(file, '..'))).toEqual([])
  })
})
