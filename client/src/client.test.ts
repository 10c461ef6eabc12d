import { describe, expect, unknownId } from '../../server/test/it.ts'
import { it, newcomer, password } from '../test/it.ts'
import { createClient, Refusal } from './index.ts'

const due = new Date('2026-03-06T16:00:00Z')

describe('the API', () => {
  it('has a client function for every operation, and vice versa', async ({ app, baseUrl }) => {
    const called = new Set<string>()
    const fetchAndNote: typeof fetch = (url, init) => {
      const path = new URL(url as string).pathname.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '{}')
      called.add(`${init?.method} ${path}`)
      return fetch(url, init)
    }

    await callAll(createClient({ baseUrl, fetch: fetchAndNote }))

    expect([...called].toSorted()).toEqual(await operationsOf(app))
  })
})

describe('tasks', () => {
  it('accepts a Date or a string, and returns Dates', async ({ me }) => {
    const created = await me.tasks.create({ title: 'Write', dueAt: due, startAfter: '2026-03-03' })

    expect(created).toMatchObject({
      title: 'Write',
      dueAt: due,
      startAfter: new Date('2026-03-03T00:00:00Z'),
      createdAt: expect.any(Date),
    })
    expect(await me.tasks.update(created.id, { dueAt: '', priority: 'high' })).toMatchObject({
      dueAt: null,
      priority: 'high',
    })
    expect(await me.tasks.get(created.id)).toMatchObject({ title: 'Write', subtasks: [] })
  })

  it('creates a task from one line of text, and previews one', async ({ me }) => {
    const { task, recognised } = await me.tasks.quickAdd('Write 2026-03-06 ~45m')
    expect(task).toMatchObject({ title: 'Write', dueAt: expect.any(Date), estimateMinutes: 45 })
    expect(recognised.map(({ text }) => text)).toEqual(['2026-03-06', '~45m'])

    const preview = await me.tasks.previewQuickAdd('Schreiben 5.3. @neu', { locale: 'de' })

    expect(preview).toMatchObject({ newLabels: ['neu'], task: { dueAt: expect.any(Date) } })
    expect(await me.labels.list()).toEqual([])
  })

  it('accepts booleans, dates and numbers as filters', async ({ me }) => {
    const early = await me.tasks.create({ title: 'Early', dueAt: '2026-03-03T08:00:00Z' })
    const late = await me.tasks.create({ title: 'Late', dueAt: due, status: 'completed' })
    const titles = async (filter: Parameters<typeof me.tasks.list>[0]) =>
      (await me.tasks.list(filter)).data.map(({ title }) => title)

    expect(await titles(undefined)).toEqual([early.title])
    expect(await titles({ includeCompleted: true })).toEqual([early.title, late.title])
    expect(await titles({ includeCompleted: true, dueBefore: new Date('2026-03-04') })).toEqual([
      early.title,
    ])
    expect(await titles({ status: 'completed', spaceId: undefined })).toEqual([late.title])
    expect(await titles({ includeCompleted: true, limit: 1, page: 2 })).toEqual([late.title])
  })

  it('iterates a list, page by page', async ({ me }) => {
    for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) await me.tasks.create({ title })

    const all = await Array.fromAsync(me.tasks.all({ limit: 2 }))

    const titles = new Set(all.map(({ title }) => title))
    expect(all).toHaveLength(5)
    expect(titles).toEqual(new Set(['One', 'Two', 'Three', 'Four', 'Five']))
    expect(await Array.fromAsync(me.tasks.all({ status: 'cancelled' }))).toEqual([])
    for await (const { id } of me.tasks.all({ limit: 2 })) {
      await me.tasks.update(id, { status: 'completed' })
    }
    expect(await Array.fromAsync(me.tasks.all())).toEqual([])
  })

  it('corrects how long a task took', async ({ me }) => {
    const { id } = await me.tasks.create({ title: 'Write' })

    expect(await me.tasks.setActualMinutes(id, 90)).toEqual({ actualMinutes: 90 })

    expect(await me.tasks.get(id)).toMatchObject({ actualMinutes: 90 })
  })

  it('archives tasks, deletes them permanently, and completes them in a batch', async ({ me }) => {
    const { id: kept } = await me.tasks.create({ title: 'Kept' })
    const { id: gone } = await me.tasks.create({ title: 'Gone' })

    expect(await me.tasks.delete(kept)).toEqual({ success: true })
    expect(await me.tasks.delete(gone, { permanent: true })).toEqual({ success: true })

    expect(await me.tasks.get(kept)).toMatchObject({ status: 'archived' })
    await expect(me.tasks.get(gone)).rejects.toMatchObject({ status: 404 })
    const result = { affected: 1, requested: 2, invalid: 1 }
    expect(await me.tasks.batch('complete', [kept, gone])).toEqual(result)
    expect(await me.tasks.get(kept)).toMatchObject({ status: 'completed' })
  })

  it('adds and removes a dependency', async ({ me }) => {
    const { id } = await me.tasks.create({ title: 'Write' })
    const { id: before } = await me.tasks.create({ title: 'Collect' })

    const added = await me.tasks.dependencies.add(id, before)

    expect(added).toMatchObject({ taskId: id, dependsOnTaskId: before })
    const { blockedBy } = await me.tasks.dependencies.list(id)
    expect(blockedBy).toMatchObject([{ task: { title: 'Collect' }, createdAt: expect.any(Date) }])
    await me.tasks.dependencies.remove(id, before)
    expect(await me.tasks.dependencies.list(id)).toEqual({ blockedBy: [], blocks: [] })
  })

  it('links documents, and unlinks them', async ({ me }) => {
    const { id } = await me.tasks.create({ title: 'Write' })
    const { id: documentId } = await me.documents.create({ title: 'Brief' })

    expect(await me.tasks.documents.link(id, documentId)).toMatchObject({ taskId: id, documentId })

    expect(await me.documents.get(documentId)).toMatchObject({ tasks: [{ taskId: id }] })
    await me.tasks.documents.unlink(id, documentId)
    expect(await me.tasks.get(id)).toMatchObject({ documents: [] })
  })

  it('manages checklists', async ({ me }) => {
    const { id: taskId } = await me.tasks.create({ title: 'Write' })

    const { id } = await me.checklistItems.create({ taskId, title: 'Ask' })

    const ticked = await me.checklistItems.update(id, { completed: true })
    expect(ticked).toMatchObject({ title: 'Ask', completed: true })
    await me.checklistItems.delete(id)
    expect(await me.tasks.get(taskId)).toMatchObject({ checklistItems: [] })
  })
})

describe('projects, labels, spaces and documents', () => {
  it('creates, updates, lists, archives and deletes projects', async ({ me }) => {
    const { id } = await me.projects.create({ name: 'Website', targetDate: due })
    const { id: other } = await me.projects.create({ name: 'Other' })

    const updated = await me.projects.update(id, { status: 'planned', targetDate: null })

    expect(updated).toMatchObject({ status: 'planned', targetDate: null, space: null })
    expect(await me.projects.get(id)).toMatchObject({ name: 'Website', tasks: [], documents: [] })
    expect(await me.projects.list()).toHaveLength(2)
    expect(await me.projects.list({ spaceId: unknownId })).toEqual([])
    await me.projects.delete(id)
    await me.projects.delete(other, { permanent: true })
    expect(await me.projects.get(id)).toMatchObject({ archived: true })
    await expect(me.projects.get(other)).rejects.toMatchObject({ status: 404 })
  })

  it('creates, updates, lists and deletes labels', async ({ me }) => {
    const { id } = await me.labels.create({ name: 'home' })

    expect(await me.labels.update(id, { color: '#00FF00' })).toMatchObject({ color: '#00FF00' })

    expect(await me.labels.list()).toMatchObject([{ id, name: 'home', _count: { tasks: 0 } }])
    await me.labels.delete(id)
    expect(await me.labels.list()).toEqual([])
  })

  it('creates, updates, lists and deletes spaces', async ({ me }) => {
    const { id } = await me.spaces.create({ name: 'Work', icon: 'briefcase' })

    expect(await me.spaces.update(id, { name: 'Job', sortOrder: 1 })).toMatchObject({ name: 'Job' })

    expect(await me.spaces.list()).toMatchObject([{ name: 'Personal' }, { id, projects: [] }])
    await me.spaces.delete(id)
    expect(await me.spaces.list()).toHaveLength(1)
  })

  it('creates, updates, lists and deletes documents, and reads their versions', async ({ me }) => {
    const { id: projectId } = await me.projects.create({ name: 'Website' })
    const { id } = await me.documents.create({ title: 'Brief', docType: 'spec', projectId })

    expect(await me.documents.update(id, { content: '# Goals' })).toMatchObject({ title: 'Brief' })
    expect(await me.documents.list({ content: 'excerpt' })).toMatchObject([{ content: '# Goals' }])
    const { events } = await me.history.list({ recordId: id, limit: 1 })
    const [event] = events
    if (!event?.after) throw new Error('There is no event of the change')
    const { hash } = event.after.content as { hash: string }
    expect(await me.documents.version(id, hash)).toMatchObject({ hash, content: '# Goals' })
    await expect(me.documents.version(id, '../..')).rejects.toMatchObject({ status: 404 })
    expect(await me.usage()).toMatchObject({ documents: { used: 1, limit: 10_000 } })

    expect(await me.documents.get(id)).toMatchObject({ content: '# Goals', docType: 'spec' })
    expect(await me.documents.list({ projectId })).toMatchObject([{ id }])
    expect(await me.documents.list({ projectId: unknownId })).toEqual([])
    await me.documents.delete(id)
    expect(await me.documents.list()).toEqual([])
  })
})

describe('scheduling', () => {
  it('creates, updates, lists and deletes schedule preferences', async ({ me }) => {
    const windows = [{ day: [1, 2], start: '08:00', end: '12:00' }]
    const { id } = await me.schedulePreferences.create({ name: 'Mornings', windows })

    const updated = await me.schedulePreferences.update(id, { priority: 5 })

    expect(updated).toMatchObject({ priority: 5, windows })
    expect(await me.schedulePreferences.list()).toEqual([updated])
    await me.schedulePreferences.delete(id)
    expect(await me.schedulePreferences.list()).toEqual([])
  })

  it('sets, lists and clears default schedules', async ({ me }) => {
    const windows = [{ day: [1, 2], start: '08:00', end: '12:00' }]
    const { id: schedulePreferenceId } = await me.schedulePreferences.create({ name: 'A', windows })
    const { id: spaceId } = await me.spaces.create({ name: 'Work' })
    const { id: projectId } = await me.projects.create({ name: 'Website' })
    const schedule = { schedulePreferenceId }

    expect(await me.defaultSchedules.setOfSpace(spaceId, schedule)).toEqual(schedule)
    expect(await me.defaultSchedules.setOfProject(projectId, schedule)).toEqual(schedule)

    expect(await me.defaultSchedules.list()).toEqual({
      spaces: [{ spaceId, ...schedule }],
      projects: [{ projectId, ...schedule }],
    })
    await me.defaultSchedules.setOfSpace(spaceId, { schedulePreferenceId: null })
    await me.defaultSchedules.setOfProject(projectId, { schedulePreferenceId: null })
    expect(await me.defaultSchedules.list()).toEqual({ spaces: [], projects: [] })
  })

  it('manages time blocks and runs the planner', async ({ me, now }) => {
    const { id: taskId } = await me.tasks.create({ title: 'Write' })
    const hours = (count: number) => new Date(now.getTime() + count * 3_600_000)
    const first = await me.timeBlocks.create({ taskId, startAt: hours(1), endAt: hours(2) })
    const second = await me.timeBlocks.create({
      taskId,
      startAt: hours(30).toISOString(),
      endAt: hours(31),
    })

    await me.timeBlocks.reorder([second.id, first.id])

    expect(await me.timeBlocks.get(first.id)).toMatchObject({ startAt: hours(1), sortOrder: 1 })
    expect(await me.timeBlocks.list()).toMatchObject([{ id: first.id, task: { id: taskId } }])
    const later = await me.timeBlocks.list({ from: hours(2), to: hours(40).toISOString() })
    expect(later).toMatchObject([{ id: second.id }])
    const moved = await me.timeBlocks.update(first.id, { endAt: hours(3), locked: true })
    expect(moved).toMatchObject({ endAt: hours(3), locked: true })
    expect(await me.planner.status()).toMatchObject({ pendingTasks: 1 })
    const preview = await me.planner.preview()
    expect(preview.plannedAt).toBeInstanceOf(Date)
    await me.planner.apply(preview.id)
    expect(await me.planner.get(preview.id)).toMatchObject({ state: 'applied' })
    await me.planner.undo(preview.id)
    expect(await me.planner.forecast()).toMatchObject({ chances: [], waysOut: [] })
    const { slots } = await me.planner.findSlots({ minutes: 30, from: hours(1), until: hours(72) })
    expect(slots[0]?.startAt).toBeInstanceOf(Date)
    const { runId, ...result } = await me.planner.run()
    expect(result).toMatchObject({ ok: true })
    expect(await me.planner.get(runId)).toMatchObject({ id: runId })
    const { runs } = await me.planner.runs()
    expect(runs.map(({ state }) => state)).toEqual(['applied', 'undone'])
    await me.timeBlocks.delete(first.id)
    await expect(me.timeBlocks.get(first.id)).rejects.toMatchObject({ status: 404 })
  })

  it('generates notifications, lists them and marks them read', async ({ me, now }) => {
    await me.tasks.create({ title: 'Write', dueAt: new Date(now.getTime() + 3_600_000) })

    expect(await me.notifications.generate('at_risk')).toEqual({ generated: 1, unreadCount: 1 })
    expect(await me.notifications.generate('morning_summary')).toMatchObject({ unreadCount: 2 })

    const { notifications } = await me.notifications.list()
    expect(notifications).toHaveLength(2)
    expect(await me.notifications.markRead(notifications[0]?.id ?? '')).toEqual({ success: true })
    expect(await me.notifications.markAllRead()).toEqual({ markedRead: 1 })
    expect(await me.notifications.list()).toMatchObject({ unreadCount: 0 })
  })
})

describe('accounts', () => {
  it('signs up, in and out, and stays signed in without a browser', async ({
    baseUrl,
    visitor,
  }) => {
    const person = newcomer()
    expect(await visitor.auth.session()).toBeNull()

    expect(await visitor.auth.signUp(person)).toMatchObject({ user: { email: person.email } })

    const session = { session: { expiresAt: expect.any(Date) }, user: { email: person.email } }
    expect(await visitor.auth.session()).toMatchObject(session)
    expect(await visitor.labels.create({ name: 'home' })).toMatchObject({ name: 'home' })
    await visitor.auth.signOut()
    expect(await visitor.auth.session()).toBeNull()
    await expect(visitor.labels.list()).rejects.toMatchObject({ status: 401 })
    await createClient({ baseUrl }).auth.signIn(person)
    await visitor.auth.signIn(person)
    expect(await visitor.labels.list()).toHaveLength(1)
  })

  it('continues a given session', async ({ app, baseUrl }) => {
    const { cookies } = await app.inject({
      method: 'POST',
      url: '/api/auth/sign-up/email',
      payload: newcomer(),
    })
    const cookie = cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
    const given = createClient({ baseUrl, cookie: cookie.join('; ') })

    expect(await given.auth.sessions()).toMatchObject([{ createdAt: expect.any(Date) }])
    expect(await given.spaces.create({ name: 'Work' })).toMatchObject({ name: 'Work' })
  })

  it('ends sessions, and changes the password', async ({ baseUrl, visitor }) => {
    const person = newcomer()
    await visitor.auth.signUp(person)
    const [laptop, phone] = [createClient({ baseUrl }), createClient({ baseUrl })]
    await laptop.auth.signIn(person)
    await phone.auth.signIn(person)
    const { session } = (await laptop.auth.session()) ?? {}
    expect(await visitor.auth.sessions()).toHaveLength(3)

    await visitor.auth.revokeSession(session?.token ?? '')

    expect(await laptop.auth.session()).toBeNull()
    await visitor.auth.revokeOtherSessions()
    expect(await phone.auth.session()).toBeNull()
    const newPassword = 'a longer sentence still'
    const change = { currentPassword: password, newPassword, revokeOtherSessions: true }
    await visitor.auth.changePassword(change)
    // Changing the password started a new session, which the client now uses.
    expect(await visitor.user.get()).toMatchObject({ email: person.email })
    await expect(laptop.auth.signIn(person)).rejects.toMatchObject({ status: 401 })
    await laptop.auth.signIn({ ...person, password: newPassword })
  })

  it('returns and updates the profile', async ({ me, ada }) => {
    expect(await me.user.get()).toMatchObject({ id: ada.id, timezone: 'UTC', isAdmin: false })

    const changes = { displayName: 'Ada', timezone: 'Australia/Sydney' }
    expect(await me.user.update(changes)).toMatchObject(changes)
  })

  it('issues and revokes keys in a session', async ({ baseUrl, visitor }) => {
    await visitor.auth.signUp(newcomer())

    const issued = await visitor.apiKeys.create({
      name: 'script',
      scopes: ['read'],
      expiresAt: due,
    })

    expect(issued.expiresAt).toEqual(due)
    const script = createClient({ baseUrl, apiKey: issued.key })
    expect(await script.labels.list()).toEqual([])
    await expect(script.labels.create({ name: 'home' })).rejects.toMatchObject({ status: 403 })
    expect(await visitor.apiKeys.list()).toMatchObject([{ id: issued.id, name: 'script' }])
    await visitor.apiKeys.delete(issued.id)
    await expect(script.labels.list()).rejects.toMatchObject({ status: 401 })
  })

  it('creates and deletes feeds in a session', async ({ baseUrl, visitor }) => {
    await visitor.auth.signUp(newcomer())

    const feed = await visitor.feeds.create({ name: 'My plan', detail: 'titles' })

    const read = async () => (await fetch(new URL(feed.path, baseUrl))).status
    expect(await read()).toBe(200)
    expect(await visitor.feeds.list()).toMatchObject([
      { id: feed.id, detail: 'titles', lastReadAt: expect.any(Date) },
    ])
    await visitor.feeds.delete(feed.id)
    expect(await read()).toBe(404)
  })

  it('lets an admin manage accounts', async ({ baseUrl, db, visitor }) => {
    const { user } = await visitor.auth.signUp(newcomer())
    await db.pool.query(`update users set role = 'admin' where id = $1`, [user.id])
    const other = createClient({ baseUrl })
    const { user: someone } = await other.auth.signUp(newcomer())

    const updated = await visitor.admin.users.update(someone.id, { disabled: true })

    expect(updated).toMatchObject({ id: someone.id, disabled: true, createdAt: expect.any(Date) })
    await expect(other.labels.list()).rejects.toMatchObject({ status: 401 })
    const { data, pagination } = await visitor.admin.users.list({ limit: 1, page: 2 })
    expect(data).toHaveLength(1)
    const all = await Array.fromAsync(visitor.admin.users.all({ limit: 1 }))
    expect(all).toHaveLength(pagination.total)
  })

  it('reports liveness and readiness', async ({ visitor }) => {
    expect(await visitor.health.live()).toEqual({ status: 'ok' })
    expect(await visitor.health.ready()).toEqual({ status: 'ok', worker: 'unknown' })
  })
})

/** Calls every function with unknown ids: only the requested path matters. */
async function callAll(group: object): Promise<void> {
  for (const member of Object.values(group) as unknown[]) {
    if (typeof member !== 'function') await callAll(member as object)
    else await Promise.resolve(startIterator(member(unknownId, unknownId))).catch(expectRefusal)
  }
}

/** Starts an iterator, which sends no request before its first `next`. */
const startIterator = (result: unknown) =>
  typeof result === 'object' && result !== null && 'next' in result
    ? (result as AsyncGenerator).next()
    : result

const expectRefusal = (error: unknown) => expect(error).toBeInstanceOf(Refusal)

async function operationsOf(app: { inject(url: string): Promise<{ json(): unknown }> }) {
  const { paths } = (await app.inject('/api/openapi.json')).json() as {
    paths: Record<string, object>
  }
  return Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.keys(operations).map(
        (method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
      ),
    )
    .toSorted()
}
