// Every action against the real service: the optimistic update, the result in the service, and undo.
import { describe, expect, it, onRequest, refusal, sent } from '../../../test/it.ts'
import type {
  ApiKey,
  DefaultSchedules,
  Feed,
  PlanCalendar,
  ChecklistItem,
  FullTask,
  ListedDocument,
  ListedLabel,
  ListedProject,
  ListedSpace,
  ListedTask,
  ListedTimeBlock,
  Notifications,
  Profile,
  SchedulePreference,
  Session,
  Settings,
  Webhook,
} from '@daywright/contract'
import type { QueryKey } from '@tanstack/react-query'
import type { Database } from '../../../../server/src/platform/db/database.ts'
import { api } from '../api.ts'
import { shownToasts } from '../toasts.ts'
import { cache } from '../query-client.ts'
import { keys } from '../keys.ts'
import { perform } from '../run-mutation.ts'
import type { Action } from '../action.ts'
import { queries } from '../queries.ts'
import { redoLast, undoLast } from '../undo.ts'
import { createPlanCalendar, deletePlanCalendar, updatePlanCalendar } from './plan-calendars.ts'
import {
  changePassword,
  createFeed,
  endOtherSessions,
  endSession,
  issueKey,
  revokeFeed,
  revokeKey,
} from './access.ts'
import { updateProfile, updateSettings } from './account.ts'
import { discardJob, retryJob, updateAccount } from './admin.ts'
import { completeBlock } from './block-actions.ts'
import { addCalendarsOf } from './calendars.ts'
import {
  createEvent,
  lockBlock,
  moveBlock,
  placeBlock,
  removeBlock,
  renameEvent,
} from './blocks.ts'
import { addItem, changeItem, orderItems, removeItem } from './checklist.ts'
import { setDefaultSchedule } from './default-schedules.ts'
import {
  createDocument,
  deleteDocument,
  linkTask,
  saveContent,
  unlinkTask,
  updateDocument,
} from './documents.ts'
import { createLabel, deleteLabel, updateLabel } from './labels.ts'
import { askFor, markAllRead, markRead } from './notifications.ts'
import { applyPlan, inShort, planNow, undoPlan } from './planner.ts'
import { archiveProject, createProject, restoreProject, updateProject } from './projects.ts'
import {
  createPreference,
  deletePreference,
  setWorkingHours,
  updatePreference,
} from './schedule-preferences.ts'
import { createSpace, deleteSpace, updateSpace } from './spaces.ts'
import { blockBy, linkDocument, unblock, unlinkDocument } from './task-links.ts'
import { createTask, createTasks } from './tasks.ts'
import { createWebhook, deleteWebhook, enableWebhook, redeliver, rotateSecret } from './webhooks.ts'

const shown = <Data>(key: QueryKey) => cache.getQueryData<Data>(key)!
const windows = [{ day: [1, 2], start: '09:00', end: '12:00' }]

/** Runs an action, and checks what the page shows before the service has answered. */
async function performOk<Answer>(action: Action<Answer>, atOnce: () => void = () => {}) {
  const outcome = perform(action)
  atOnce()
  const result = await outcome
  if (!result.ok) throw result.error
  return result.answer
}

describe('access', () => {
  it('issues a key, and revokes it', async ({ elsewhere }) => {
    await cache.fetchQuery(queries.apiKeys())
    const { id } = await performOk(issueKey({ name: 'Script', scopes: ['read'], expiresAt: null }))
    const key = (await elsewhere.apiKeys.list()).find((each) => each.id === id)!
    expect(key).toMatchObject({ name: 'Script', scopes: ['read'] })
    await cache.fetchQuery({ ...queries.apiKeys(), staleTime: 0 })

    await performOk(revokeKey(key), () => expect(shown<ApiKey[]>(keys.apiKeys)).toEqual([]))

    expect(await elsewhere.apiKeys.list()).toEqual([])
  })

  it('creates a feed, and revokes it', async ({ elsewhere }) => {
    await cache.fetchQuery(queries.feeds())
    const { id, path } = await performOk(createFeed({ name: 'My plan', detail: 'busy' }))
    expect(path).toMatch(/^\/feeds\/dwf_/)
    const feed = (await elsewhere.feeds.list()).find((each) => each.id === id)!
    await cache.fetchQuery({ ...queries.feeds(), staleTime: 0 })

    await performOk(revokeFeed(feed), () => expect(shown<Feed[]>(keys.feeds)).toEqual([]))

    expect(await elsewhere.feeds.list()).toEqual([])
  })

  it('adds all calendars of an account, or none', async ({ elsewhere }) => {
    const account = { url: 'https://dav.example.com/', username: 'ada', password: 'secret' }
    const found = Array.from({ length: 26 }, (_, index) => ({
      url: `https://dav.example.com/${index}/`,
      name: `Calendar ${index}`,
      color: null,
      mayWrite: true,
    }))

    const { ok } = await perform(addCalendarsOf(account, found), { isQuiet: true })
    expect(ok).toBe(false)
    expect(await elsewhere.calendars.list()).toEqual([])

    await performOk(addCalendarsOf(account, found.slice(0, 2)))
    expect(await elsewhere.calendars.list()).toMatchObject([
      { name: 'Calendar 0', username: 'ada' },
      { name: 'Calendar 1', username: 'ada' },
    ])
  })

  it('creates, updates and deletes a calendar that shows the plan', async ({ elsewhere }) => {
    await cache.fetchQuery(queries.planCalendars())
    const account = { url: 'https://dav.example.com/plan/', username: 'ada', password: 'secret' }
    const made = await performOk(createPlanCalendar({ ...account, twoWay: true }))
    const shownNow = () => shown<PlanCalendar[]>(keys.planCalendars)
    await cache.fetchQuery({ ...queries.planCalendars(), staleTime: 0 })

    await performOk(updatePlanCalendar(made, { twoWay: false, password: 'new' }), () =>
      expect(shownNow()).toMatchObject([{ id: made.id, twoWay: false }]),
    )
    expect(await elsewhere.planCalendars.list()).toMatchObject([{ twoWay: false }])
    await performOk(deletePlanCalendar(made, 'remove'), () =>
      expect(shownNow()).toMatchObject([{ removing: true }]),
    )
    expect(await elsewhere.planCalendars.list()).toMatchObject([{ removing: true }])
    await performOk(deletePlanCalendar(made, 'leave'), () => expect(shownNow()).toEqual([]))

    expect(await elsewhere.planCalendars.list()).toEqual([])
  })

  it('ends one or all other sessions, and changes the password', async ({ elsewhere, app }) => {
    const { email } = await elsewhere.user.get()
    const password = 'correct horse battery staple'
    const signIn = () =>
      app.inject({
        method: 'POST',
        url: '/api/auth/sign-in/email',
        payload: { email, password },
      })
    const current = (await elsewhere.auth.session())!.session.id
    await signIn()
    const [other] = (await cache.fetchQuery(queries.sessions())).filter(({ id }) => id !== current)

    await performOk(endSession(other!), () =>
      expect(shown<Session[]>(keys.sessions).map(({ id }) => id)).toEqual([current]),
    )
    expect(await elsewhere.auth.sessions()).toHaveLength(1)

    await signIn()
    await cache.fetchQuery({ ...queries.sessions(), staleTime: 0 })
    await performOk(endOtherSessions(current), () =>
      expect(shown<Session[]>(keys.sessions).map(({ id }) => id)).toEqual([current]),
    )
    expect(await elsewhere.auth.sessions()).toHaveLength(1)

    await performOk(changePassword(password, 'another long sentence of words'))
    expect((await signIn()).statusCode).toBe(401)
  })
})

describe('account', () => {
  it('changes the profile and the settings, and undoes both', async ({ elsewhere }) => {
    const profile = await cache.fetchQuery(queries.profile())
    const settings = await cache.fetchQuery(queries.settings())

    await performOk(updateProfile(profile, { timezone: 'Asia/Tokyo' }, 'Moved.'), () =>
      expect(shown<Profile>(keys.profile).timezone).toBe('Asia/Tokyo'),
    )
    expect((await elsewhere.user.get()).timezone).toBe('Asia/Tokyo')
    await undoLast()
    expect(await elsewhere.user.get()).toEqual(profile)

    await performOk(updateSettings(settings, { dailyRunAt: '04:00' }, 'Earlier.'), () =>
      expect(shown<Settings>(keys.settings).dailyRunAt).toBe('04:00'),
    )
    expect((await elsewhere.settings.get()).dailyRunAt).toBe('04:00')
    await undoLast()
    expect(await elsewhere.settings.get()).toEqual(settings)
  })
})

describe('setDefaultSchedule', () => {
  it.each(['space', 'project'] as const)('of a %s is shown at once, and undone', async (kind) => {
    const preference = await api.schedulePreferences.create({ name: 'Office', windows })
    const next = { schedulePreferenceId: preference.id }
    const place = await api[`${kind}s`].create({ name: 'Home' })
    await cache.fetchQuery({ ...queries.preferences(), staleTime: 0 })
    await cache.fetchQuery({ ...queries.defaultSchedules(), staleTime: 0 })
    const entry = { [`${kind}Id`]: place.id, ...next }

    await performOk(
      setDefaultSchedule({ kind, ...place }, { schedulePreferenceId: null }, next),
      () => expect(shown<DefaultSchedules>(keys.defaultSchedules)[`${kind}s`]).toEqual([entry]),
    )
    expect((await api.defaultSchedules.list())[`${kind}s`]).toEqual([entry])

    await undoLast()
    expect((await api.defaultSchedules.list())[`${kind}s`]).toEqual([])
    await api.schedulePreferences.delete(preference.id)
  })
})

describe('two concurrent changes of one record', () => {
  it('are sent one at a time', async ({ elsewhere }) => {
    const settings = await cache.fetchQuery(queries.settings())
    const profile = await cache.fetchQuery(queries.profile())
    const label = await elsewhere.labels.create({ name: 'one' })
    const space = await elsewhere.spaces.create({ name: 'one' })
    const preference = await elsewhere.schedulePreferences.create({ name: 'one', windows })
    const { id: taskId } = await elsewhere.tasks.create({ title: 'Move' })
    const item = await elsewhere.checklistItems.create({ taskId, title: 'one' })
    const changes: ((value: string, time: string) => Action)[] = [
      (_, time) => updateSettings(settings, { dailyRunAt: time }, ''),
      (displayName) => updateProfile(profile, { displayName }, ''),
      (name) => updateLabel(label, { name }, ''),
      (name) => updateSpace(space, { name }, ''),
      (name) => updatePreference(preference, { name }, ''),
      (title) => changeItem(item, { title }),
    ]
    let most = 0
    onRequest(() => {
      most = Math.max(most, sent('PATCH').filter(({ status }) => status === undefined).length)
      return undefined
    })
    for (const change of changes) {
      await Promise.all([perform(change('two', '02:00')), perform(change('three', '03:00'))])
    }
    expect(most).toBe(1)
    expect(sent('PATCH')).toHaveLength(2 * changes.length)
  })
})

/** Call this before the first request, because the service caches permissions for a second. */
async function makeAdmin(db: Database, id: string) {
  await db.pool.query(`update users set role = 'admin' where id = $1`, [id])
  await db.pool.query(`update auth.users set role = 'admin' where id = $1`, [id])
}

describe('admin', () => {
  it('changes an account, and undoes the change', async ({ elsewhere, person, grace, db }) => {
    await makeAdmin(db, person.id)
    const account = (await cache.fetchQuery(queries.accounts())).find(({ id }) => id === grace.id)!
    const stored = async () =>
      (await Array.fromAsync(elsewhere.admin.users.all())).find((each) => each.id === account.id)

    await performOk(updateAccount(account, { disabled: true }, 'Disabled.'))
    expect(await stored()).toMatchObject({ disabled: true })

    await undoLast()
    expect(await stored()).toMatchObject({ disabled: false })
  })

  it('shows a job again if it could not be retried or discarded', async ({
    elsewhere,
    person,
    db,
  }) => {
    expect(elsewhere).toBeDefined()
    await makeAdmin(db, person.id)
    const job = { id: '999999' } as never
    cache.setQueryData(keys.jobs, [job])

    for (const action of [retryJob(job), discardJob(job)]) {
      const outcome = perform(action)
      expect(shown(keys.jobs)).toEqual([])
      expect(await outcome).toMatchObject({ ok: false })
      expect(shown(keys.jobs)).toEqual([job])
    }
    expect(sent('POST', /jobs\/999999\/retry$/)).toHaveLength(1)
    expect(sent('DELETE', /jobs\/999999$/)).toHaveLength(1)
  })
})

describe('blocks', () => {
  const from = new Date('2030-01-07T00:00:00Z')
  const to = new Date('2030-01-14T00:00:00Z')
  const place = {
    startAt: new Date('2030-01-07T09:00:00Z'),
    endAt: new Date('2030-01-07T10:00:00Z'),
  }

  it('are placed, moved, locked, completed and removed, and each change is undone', async ({
    elsewhere,
  }) => {
    const task = await elsewhere.tasks.create({ title: 'Write', estimateMinutes: 60 })
    const { queryKey } = queries.blocks(from, to)
    await cache.fetchQuery(queries.blocks(from, to))
    const seen = () => shown<ListedTimeBlock[]>(queryKey)
    const stored = async (id: string) => elsewhere.timeBlocks.get(id)

    const { id } = await performOk(placeBlock(task, place, 'Placed.'), () =>
      expect(seen()).toMatchObject([{ taskId: task.id, source: 'manual', ...place }]),
    )
    expect(seen().map((block) => block.id)).toEqual([id])
    const block = seen()[0]!

    const later = { startAt: place.endAt, endAt: new Date('2030-01-07T11:00:00Z') }
    const changes: [Action, Partial<ListedTimeBlock>][] = [
      [moveBlock(block, later, 'Moved.'), later],
      [lockBlock(block, true), { locked: true }],
      [completeBlock(block), { status: 'completed' }],
    ]
    for (const [action, changed] of changes) {
      await performOk(action, () => expect(seen()).toMatchObject([changed]))
      expect(await stored(id)).toMatchObject(changed)
      await undoLast()
      expect(await stored(id)).toMatchObject({ ...place, locked: false, status: 'scheduled' })
      await cache.fetchQuery({ ...queries.blocks(from, to), staleTime: 0 })
    }

    await performOk(removeBlock(block), () => expect(seen()).toEqual([]))
    expect(await stored(id)).toMatchObject({ status: 'cancelled' })
    await undoLast()
    expect(await stored(id)).toMatchObject({ status: 'scheduled' })
  })

  it('can be moved before the service has created them', async ({ elsewhere }) => {
    const task = await elsewhere.tasks.create({ title: 'Write', estimateMinutes: 60 })
    const { queryKey } = queries.blocks(from, to)
    await cache.fetchQuery(queries.blocks(from, to))
    const seen = () => shown<ListedTimeBlock[]>(queryKey)
    const later = { startAt: place.endAt, endAt: new Date('2030-01-07T11:00:00Z') }

    const placed = performOk(placeBlock(task, place, 'Placed.'))
    const moved = performOk(moveBlock(seen()[0]!, later, 'Moved.'), () =>
      expect(seen()).toMatchObject([later]),
    )
    const { id } = await placed
    expect(seen()).toMatchObject([{ id, ...later }])
    await moved
    expect(await elsewhere.timeBlocks.get(id)).toMatchObject(later)
    await undoLast()
    expect(await elsewhere.timeBlocks.get(id)).toMatchObject(place)
  })

  it('can be removed before the service has created them', async ({ elsewhere }) => {
    const task = await elsewhere.tasks.create({ title: 'Write', estimateMinutes: 60 })
    const { queryKey } = queries.blocks(from, to)
    await cache.fetchQuery(queries.blocks(from, to))
    const seen = () => shown<ListedTimeBlock[]>(queryKey)

    const placed = performOk(placeBlock(task, place, 'Placed.'))
    const removed = performOk(removeBlock(seen()[0]!))
    const { id } = await placed
    expect(seen()).toEqual([])
    await removed
    expect(await elsewhere.timeBlocks.get(id)).toMatchObject({ status: 'cancelled' })
  })

  it('of type event are created, renamed and deleted, with undo', async ({ elsewhere }) => {
    const [from, to] = [new Date('2030-01-07T00:00:00Z'), new Date('2030-01-08T00:00:00Z')]
    const { queryKey } = queries.blocks(from, to)
    await cache.fetchQuery(queries.blocks(from, to))
    const seen = () => shown<ListedTimeBlock[]>(queryKey)
    const place = {
      startAt: new Date('2030-01-07T09:00:00Z'),
      endAt: new Date('2030-01-07T10:00:00Z'),
    }
    const event = { title: 'Dentist', type: 'event', taskId: null, task: null, ...place }

    const { id } = await performOk(createEvent('Dentist', place, 'Added.'), () =>
      expect(seen()).toMatchObject([event]),
    )
    const block = seen()[0]!
    await performOk(renameEvent(block, 'Doctor'), () =>
      expect(seen()).toMatchObject([{ ...event, title: 'Doctor' }]),
    )
    expect(await elsewhere.timeBlocks.get(id)).toMatchObject({ title: 'Doctor' })
    await undoLast()
    expect(await elsewhere.timeBlocks.get(id)).toMatchObject({ title: 'Dentist' })

    await performOk(removeBlock(block), () => expect(seen()).toEqual([]))
    await expect(elsewhere.timeBlocks.get(id)).rejects.toMatchObject({ status: 404 })
    await undoLast()
    expect(await elsewhere.timeBlocks.get(id)).toMatchObject({ ...event, status: 'scheduled' })
  })
})

describe('the checklist', () => {
  it('adds, changes, orders and deletes items, with undo', async ({ elsewhere }) => {
    const { id } = await elsewhere.tasks.create({ title: 'Move house' })
    await cache.fetchQuery(queries.task(id))
    const seen = () => shown<FullTask>(keys.task(id)).checklistItems.map(({ title }) => title)
    const stored = async () =>
      (await elsewhere.tasks.get(id)).checklistItems.toSorted(
        (one, other) => one.sortOrder - other.sortOrder,
      )

    const boxes = await performOk(addItem(id, 'Boxes'), () => expect(seen()).toEqual(['Boxes']))
    const van = await performOk(addItem(id, 'Van'))
    expect(await stored()).toMatchObject([{ title: 'Boxes' }, { title: 'Van' }])

    await performOk(changeItem(boxes, { completed: true }))
    expect(await stored()).toMatchObject([{ completed: true }, { completed: false }])
    await undoLast()
    expect(await stored()).toMatchObject([{ completed: false }, { completed: false }])

    const [first, second] = (await stored()) as [ChecklistItem, ChecklistItem]
    await performOk(orderItems(id, [second, first]), () => expect(seen()).toEqual(['Van', 'Boxes']))
    expect(await stored()).toMatchObject([{ title: 'Van' }, { title: 'Boxes' }])
    await undoLast()
    expect(await stored()).toMatchObject([{ title: 'Boxes' }, { title: 'Van' }])

    await performOk(removeItem(van), () => expect(seen()).not.toContain('Van'))
    expect(await stored()).toMatchObject([{ title: 'Boxes' }])
    await undoLast()
    expect(await stored()).toMatchObject([{ title: 'Boxes' }, { title: 'Van' }])
  })

  it('completes an item before the service has created it', async ({ elsewhere }) => {
    const { id: taskId } = await elsewhere.tasks.create({ title: 'Move house' })
    await cache.fetchQuery(queries.task(taskId))
    const seen = () => shown<FullTask>(keys.task(taskId)).checklistItems

    const added = performOk(addItem(taskId, 'Boxes'))
    const completed = performOk(changeItem(seen()[0]!, { completed: true }))
    const { id } = await added
    expect(seen()).toMatchObject([{ id, completed: true }])
    await completed
    expect((await elsewhere.tasks.get(taskId)).checklistItems).toMatchObject([
      { id, title: 'Boxes', completed: true },
    ])
  })
})

describe('documents', () => {
  it('are created, changed, saved, deleted and restored', async ({ elsewhere }) => {
    await cache.fetchQuery(queries.documents())
    const seen = () => shown<ListedDocument[]>(keys.documents)

    const made = await performOk(createDocument({ title: 'Brief' }))
    expect(seen()).toMatchObject([{ id: made.id, title: 'Brief' }])

    await performOk(updateDocument(made, { title: 'Plan' }, 'Renamed.'), () =>
      expect(seen()).toMatchObject([{ title: 'Plan' }]),
    )
    await performOk(saveContent(made.id, '# Goals'))
    expect(await elsewhere.documents.get(made.id)).toMatchObject({
      title: 'Plan',
      content: '# Goals',
    })
    await undoLast() // reverts only the title: the editor has its own undo for the text
    expect(await elsewhere.documents.get(made.id)).toMatchObject({
      title: 'Brief',
      content: '# Goals',
    })

    await performOk(deleteDocument(made), () => expect(seen()).toEqual([]))
    expect(await elsewhere.documents.list()).toEqual([])
    await undoLast()
    expect(await elsewhere.documents.list()).toMatchObject([{ id: made.id, content: '# Goals' }])
  })

  it('are linked to tasks from either side', async ({ elsewhere }) => {
    const task = await elsewhere.tasks.create({ title: 'Write' })
    const document = await elsewhere.documents.create({ title: 'Brief' })
    await cache.fetchQuery(queries.task(task.id))
    await cache.fetchQuery(queries.document(document.id))
    const linked = async () => (await elsewhere.tasks.get(task.id)).documents.map(({ id }) => id)

    for (const [link, unlink] of [
      [linkTask(document, task), unlinkTask(document, task)],
      [linkDocument(task, document), unlinkDocument(task, document)],
    ] as const) {
      await performOk(link)
      expect(await linked()).toEqual([document.id])
      await undoLast()
      expect(await linked()).toEqual([])
      await performOk(link)
      await performOk(unlink)
      expect(await linked()).toEqual([])
      await undoLast()
      expect(await linked()).toEqual([document.id])
      await performOk(unlink)
    }
  })
})

describe('labels', () => {
  it('are created, changed and deleted, with undo', async ({ elsewhere }) => {
    await cache.fetchQuery(queries.labels())
    const seen = () => shown<ListedLabel[]>(keys.labels).map(({ name }) => name)
    const stored = async () => (await elsewhere.labels.list()).map(({ name }) => name)

    const made = await performOk(createLabel('home', '#112233'))
    expect(seen()).toEqual(['home'])
    await performOk(updateLabel(made, { name: 'house' }, 'Renamed.'), () =>
      expect(seen()).toEqual(['house']),
    )
    expect(await stored()).toEqual(['house'])
    await undoLast()
    expect(await stored()).toEqual(['home'])
    await performOk(deleteLabel(made), () => expect(seen()).toEqual([]))
    expect(await stored()).toEqual([])
    await undoLast()
    expect(await stored()).toEqual(['home'])
    await undoLast()
    expect(await stored()).toEqual([])
  })

  it('are refused with a message if the name is in use', async ({ elsewhere }) => {
    await elsewhere.labels.create({ name: 'home' })

    expect(await perform(createLabel('home', '#112233'))).toMatchObject({ ok: false })

    expect(shownToasts().at(-1)?.text).toBe('You already have a label with this name.')
  })
})

describe('notifications', () => {
  it('are requested, and marked as read one by one or all at once', async ({ elsewhere }) => {
    await performOk(askFor('morning_summary'))
    const list = await cache.fetchQuery(queries.notifications())
    const [first] = list.notifications
    expect(first).toMatchObject({ read: false })

    await performOk(markRead(first!), () =>
      expect(shown<Notifications>(keys.notifications).unreadCount).toBe(list.unreadCount - 1),
    )
    expect((await elsewhere.notifications.list()).unreadCount).toBe(list.unreadCount - 1)

    await performOk(markAllRead(), () =>
      expect(shown<Notifications>(keys.notifications).unreadCount).toBe(0),
    )
    expect((await elsewhere.notifications.list()).unreadCount).toBe(0)
  })
})

describe('the planner', () => {
  it('applies a preview, undoes it, and plans without a preview', async ({ elsewhere }) => {
    await elsewhere.tasks.create({ title: 'Write', estimateMinutes: 60 })
    const planned = async () => (await elsewhere.planner.status()).scheduledBlocks
    const preview = await elsewhere.planner.preview()

    await performOk(applyPlan(preview.id))
    expect(await planned()).toBeGreaterThan(0)
    await undoLast()
    expect(await planned()).toBe(0)

    const result = await performOk(planNow())
    expect(inShort(result)).toMatch(/^Scheduled \d+ blocks?\./)
    const [run] = (await elsewhere.planner.runs()).runs
    await performOk(undoPlan(run!.id))
    expect(await planned()).toBe(0)
  })

  it('reports that a preview is out of date', async ({ elsewhere }) => {
    const { id } = await elsewhere.tasks.create({ title: 'Write', estimateMinutes: 60 })
    const preview = await elsewhere.planner.preview()
    await elsewhere.tasks.update(id, { estimateMinutes: 90 })

    expect(await perform(applyPlan(preview.id))).toMatchObject({ ok: false })

    expect(shownToasts().at(-1)?.text).toContain('Something has changed since this preview.')
  })
})

describe('projects', () => {
  it('are created, changed, archived and restored, with undo', async ({ elsewhere }) => {
    await cache.fetchQuery(queries.projects())
    const seen = () => shown<ListedProject[]>(keys.projects).map(({ name }) => name)
    const stored = async (id: string) => elsewhere.projects.get(id)

    const made = await performOk(createProject({ name: 'Website' }))
    expect(seen()).toEqual(['Website'])
    const targetDate = '2030-01-07T00:00:00.000Z'
    await performOk(updateProject(made, { name: 'Site', targetDate }, 'Changed.'), () =>
      expect(shown<ListedProject[]>(keys.projects)).toMatchObject([
        { name: 'Site', targetDate: new Date(targetDate) },
      ]),
    )
    expect(await stored(made.id)).toMatchObject({ name: 'Site', targetDate: new Date(targetDate) })
    await undoLast()
    expect(await stored(made.id)).toMatchObject({ name: 'Website', targetDate: null })

    await performOk(archiveProject(made), () => expect(seen()).toEqual([]))
    expect(await stored(made.id)).toMatchObject({ archived: true })
    await performOk(restoreProject(made))
    expect(await stored(made.id)).toMatchObject({ archived: false })
    await undoLast()
    expect(await stored(made.id)).toMatchObject({ archived: true })
    await undoLast()
    expect(await stored(made.id)).toMatchObject({ archived: false })
  })
})

describe('schedule preferences', () => {
  it('are created, changed and deleted, with undo', async ({ elsewhere }) => {
    await cache.fetchQuery(queries.preferences())
    const stored = async () =>
      (await elsewhere.schedulePreferences.list())
        .toSorted((one, other) => other.priority - one.priority)
        .map(({ name }) => name)

    const office = await performOk(createPreference('Office', windows, 2))
    const nights = await performOk(createPreference('Nights', windows, 1))
    expect(shown<SchedulePreference[]>(keys.preferences)).toHaveLength(2)

    await performOk(updatePreference(office, { name: 'Desk' }, 'Renamed.'))
    expect(await stored()).toEqual(['Desk', 'Nights'])
    await undoLast()
    expect(await stored()).toEqual(['Office', 'Nights'])

    await performOk(deletePreference(nights))
    expect(await stored()).toEqual(['Office'])
    await undoLast()
    expect(await stored()).toEqual(['Office', 'Nights'])
  })

  it('setWorkingHours: creates a schedule and makes it the default, and undo removes both', async ({
    elsewhere,
  }) => {
    const stored = async () => (await elsewhere.schedulePreferences.list()).map(({ id }) => id)
    const defaultId = async () => (await elsewhere.settings.get()).schedulePreferenceId

    const made = await performOk(setWorkingHours())
    expect(await stored()).toEqual([made.id])
    expect(await defaultId()).toBe(made.id)

    await undoLast()
    expect(await stored()).toEqual([])
    expect(await defaultId()).toBe(null)
    await redoLast()
    expect(await stored()).toEqual([await defaultId()])
  })

  it('setWorkingHours: leaves no schedule if it cannot become the default', async ({
    elsewhere,
  }) => {
    onRequest((path) => (path === '/api/settings' ? refusal(400, 'Refused') : undefined))

    expect(await perform(setWorkingHours())).toMatchObject({ ok: false })
    expect(await elsewhere.schedulePreferences.list()).toEqual([])
  })
})

describe('spaces', () => {
  it('are created, changed and deleted, with undo', async ({ elsewhere }) => {
    await cache.fetchQuery(queries.spaces())
    const seen = () => shown<ListedSpace[]>(keys.spaces).map(({ name }) => name)
    const stored = async () => (await elsewhere.spaces.list()).map(({ name }) => name)
    const own = seen()

    const made = await performOk(createSpace('Work', '#112233'))
    expect(seen()).toEqual([...own, 'Work'])
    await performOk(updateSpace(made, { name: 'Job' }, 'Renamed.'), () =>
      expect(seen()).toContain('Job'),
    )
    expect(await stored()).toContain('Job')
    await undoLast()
    expect(await stored()).toContain('Work')
    await performOk(deleteSpace(made), () => expect(seen()).toEqual(own))
    expect(await stored()).toEqual(own)
    await undoLast()
    expect(await stored()).toContain('Work')
  })
})

describe('a dependency of a task', () => {
  it('is added, removed and restored, and refused if it closes a cycle', async ({ elsewhere }) => {
    const first = await elsewhere.tasks.create({ title: 'First' })
    const second = await elsewhere.tasks.create({ title: 'Second' })
    await cache.fetchQuery(queries.dependencies(second.id))
    const blockedBy = async () =>
      (await elsewhere.tasks.dependencies.list(second.id)).blockedBy.map(({ task }) => task.title)

    await performOk(blockBy(second, first))
    expect(await blockedBy()).toEqual(['First'])
    await performOk(unblock(second, first))
    expect(await blockedBy()).toEqual([])
    await undoLast()
    expect(await blockedBy()).toEqual(['First'])

    expect(await perform(blockBy(first, second))).toMatchObject({ ok: false })
    expect(shownToasts().at(-1)?.text).toContain('They cannot block each other.')
  })
})

describe('createTask', () => {
  it('gives no schedule, shows the task once, and is undone and redone', async ({ elsewhere }) => {
    await elsewhere.schedulePreferences.create({ name: 'Office', windows })
    await cache.fetchQuery(queries.preferences())
    await cache.fetchQuery(queries.openTasks())
    const seen = () => shown<ListedTask[]>(keys.openTasks).map(({ title }) => title)

    const made = await performOk(createTask({ title: 'Write', estimateMinutes: 20 }))
    expect(made).toMatchObject({ schedulePreferenceId: null })
    expect(seen()).toEqual(['Write'])

    await undoLast()
    expect((await elsewhere.tasks.list()).pagination.total).toBe(0)
    await redoLast()
    expect((await elsewhere.tasks.list()).data).toMatchObject([{ title: 'Write' }])
  })
})

describe('createTasks', () => {
  it('adds several tasks in one step, which is undone and redone as one', async ({ elsewhere }) => {
    await cache.fetchQuery(queries.openTasks())
    const seen = () => shown<ListedTask[]>(keys.openTasks).map(({ title }) => title)
    const titles = async () => (await elsewhere.tasks.list()).data.map(({ title }) => title)

    await performOk(createTasks([{ title: 'Write' }, { title: 'Send' }]))
    expect(seen()).toEqual(['Write', 'Send'])
    expect(shownToasts().at(-1)?.text).toBe('Added 2 tasks.')

    await undoLast()
    expect(await titles()).toEqual([])
    await redoLast()
    expect(await titles()).toHaveLength(2)
  })

  it('adds no task if one is refused', async ({ elsewhere }) => {
    const { ok } = await perform(createTasks([{ title: 'Write' }, { title: 'x'.repeat(501) }]))

    expect(ok).toBe(false)
    expect((await elsewhere.tasks.list({ includeCompleted: true })).data).toEqual([])
  })
})

describe('webhooks', () => {
  it('are created, disabled and enabled, given another secret, and deleted', async ({
    elsewhere,
  }) => {
    await cache.fetchQuery(queries.webhooks())
    const made = await performOk(createWebhook('https://example.com/hook', ['task']))
    const [webhook] = await cache.fetchQuery({ ...queries.webhooks(), staleTime: 0 })
    const seen = () => shown<Webhook[]>(keys.webhooks)

    await performOk(enableWebhook(webhook!, false), () =>
      expect(seen()).toMatchObject([{ enabled: false }]),
    )
    expect(await elsewhere.webhooks.list()).toMatchObject([{ enabled: false }])
    await undoLast()
    expect(await elsewhere.webhooks.list()).toMatchObject([{ enabled: true }])

    const { secret } = await performOk(rotateSecret(webhook!))
    expect(secret).not.toBe(made.secret)
    await elsewhere.tasks.create({ title: 'Write' })
    const { events } = await elsewhere.history.list()
    const undelivered = { eventId: events[0]!.id } as never
    expect(await perform(redeliver(webhook!, undelivered))).toMatchObject({ ok: false })
    expect(shownToasts().at(-1)?.text).toContain('has not been delivered yet')

    await performOk(deleteWebhook(webhook!), () => expect(seen()).toEqual([]))
    expect(await elsewhere.webhooks.list()).toEqual([])
  })
})
