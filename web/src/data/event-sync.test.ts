// Events update the page, and our own changes are not fetched again.
import { describe, expect, it, sent } from '../../test/it.ts'
import type { Client } from '@daywright/client'
import type { Event, FullTask, ListedTask } from '@daywright/contract'
import { prioritise, rename } from './actions/task-fields.ts'
import { cache } from './query-client.ts'
import { keys } from './keys.ts'
import { followEvents, take } from './event-sync.ts'
import { perform } from './run-mutation.ts'
import { queries } from './queries.ts'
import { refresh } from './refresh.ts'

const shown = () => cache.getQueryData<ListedTask[]>(keys.openTasks)!
const titles = () => shown().map(({ title }) => title)

async function latestEvent(elsewhere: Client, type: string) {
  const { events } = await elsewhere.history.list()
  return events.find((event) => event.type === type)!
}

/** Applies the events, and waits until the invalidated queries are being fetched. */
async function takeAll(...events: Event[]) {
  const last = ['last of all']
  cache.setQueryData(last, 0)
  for (const event of events) take(event)
  refresh(last)
  await expect.poll(() => cache.getQueryState(last)?.isInvalidated).toBe(true)
}

describe('an event', () => {
  it('of a change elsewhere updates the task without a request', async ({ elsewhere }) => {
    const { id } = await elsewhere.tasks.create({ title: 'Write' })
    const work = await elsewhere.spaces.create({ name: 'Work', color: 'red', icon: 'star' })
    const { id: labelId } = await elsewhere.labels.create({ name: 'deep' })
    await cache.fetchQuery(queries.spaces())
    await cache.fetchQuery(queries.labels())
    await cache.fetchQuery(queries.task(id))
    await cache.fetchQuery(queries.openTasks())
    const change = { title: 'Written elsewhere', spaceId: work.id, labelIds: [labelId] }
    await elsewhere.tasks.update(id, change)
    const event = await latestEvent(elsewhere, 'task.updated')

    await takeAll(event)

    expect(shown()).toEqual((await elsewhere.tasks.list({})).data)
    expect(cache.getQueryData(keys.task(id))).toEqual(await elsewhere.tasks.get(id))
    expect(sent('GET', /^\/api\/tasks/)).toHaveLength(2)
  })

  it('of a task whose space is not in the cache fetches the task', async ({ elsewhere }) => {
    const { id } = await elsewhere.tasks.create({ title: 'Write' })
    await cache.fetchQuery(queries.openTasks())
    const work = await elsewhere.spaces.create({ name: 'Work', color: 'red', icon: 'star' })
    await elsewhere.tasks.update(id, { spaceId: work.id })

    await takeAll(await latestEvent(elsewhere, 'task.updated'))

    await expect.poll(() => shown()[0]?.space).toMatchObject({ name: 'Work' })
    expect(sent('GET', new RegExp(`^/api/tasks/${id}\\?`))).toHaveLength(1)
  })

  it('of an earlier state does not replace a later one', async ({ elsewhere }) => {
    const { id } = await elsewhere.tasks.create({ title: 'First' })
    await elsewhere.tasks.update(id, { title: 'Second' })
    const event = await latestEvent(elsewhere, 'task.updated')
    await elsewhere.tasks.update(id, { title: 'Third' })
    await cache.fetchQuery(queries.openTasks())

    await takeAll(event)

    expect(titles()).toEqual(['Third'])
  })

  it('of a renamed label renames it in all tasks without a request', async ({ elsewhere }) => {
    const { id: labelId } = await elsewhere.labels.create({ name: 'deep' })
    await elsewhere.tasks.create({ title: 'Write', labelIds: [labelId] })
    await cache.fetchQuery(queries.openTasks())
    await elsewhere.labels.update(labelId, { name: 'focus', color: '#ff0000' })

    await takeAll(await latestEvent(elsewhere, 'label.updated'))

    expect(shown()[0]!.labels).toEqual([{ id: labelId, name: 'focus', color: '#ff0000' }])
    expect(sent('GET', /^\/api\/tasks/)).toHaveLength(1)
  })

  it('of our own change causes no request', async ({ elsewhere }) => {
    const made = await elsewhere.tasks.create({ title: 'Write' })
    await cache.fetchQuery(queries.openTasks())
    await perform(rename(shown()[0]!, 'Written here'))
    const event = await latestEvent(elsewhere, 'task.updated')
    expect(event.after).toMatchObject({ title: 'Written here' })

    await takeAll(event)

    expect(titles()).toEqual(['Written here'])
    expect(sent('GET', new RegExp(`^/api/tasks/${made.id}\\?`))).toEqual([])
    expect(sent('GET', /^\/api\/time-blocks/)).toEqual([])
  })

  it('of our own change causes no request even if it arrives before the answer', async ({
    elsewhere,
  }) => {
    const { id } = await elsewhere.tasks.create({ title: 'Write' })
    await cache.fetchQuery(queries.openTasks())
    const done = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    const action = rename(shown()[0]!, 'Written here')
    const performed = perform({
      ...action,
      send: async () => {
        const answer = await action.send()
        done.resolve()
        await answered.promise
        return answer
      },
    })
    await done.promise
    take(await latestEvent(elsewhere, 'task.updated'))
    // Timers fire in order: this one fires after the 40 ms timer of the gathered events.
    await new Promise((resolve) => setTimeout(resolve, 41))
    answered.resolve()
    await performed
    await takeAll()

    expect(titles()).toEqual(['Written here'])
    expect(sent('GET', new RegExp(`^/api/tasks/${id}\\?`))).toEqual([])
  })

  it('of a new task adds it, and of a deleted one removes it', async ({ elsewhere }) => {
    await cache.fetchQuery(queries.openTasks())
    const { id } = await elsewhere.tasks.create({ title: 'New' })
    const created = await latestEvent(elsewhere, 'task.created')
    await cache.fetchQuery(queries.spaces())
    await takeAll(created)
    expect(titles()).toEqual(['New'])
    expect(shown()).toEqual((await elsewhere.tasks.list({})).data)

    await elsewhere.tasks.delete(id, { permanent: true })
    const deleted = await latestEvent(elsewhere, 'task.deleted')
    await takeAll(deleted)

    expect(titles()).toEqual([])
    expect(cache.getQueryData<FullTask>(keys.task(id))).toBeUndefined()
    await takeAll(created, deleted)
    expect(titles()).toEqual([])
  })

  it('of a completed task removes it from the open tasks', async ({ elsewhere }) => {
    const { id } = await elsewhere.tasks.create({ title: 'Write' })
    await cache.fetchQuery(queries.openTasks())
    await elsewhere.tasks.batch('complete', [id])
    const event = await latestEvent(elsewhere, 'task.updated')

    await takeAll(event)

    await expect.poll(titles).toEqual([])
  })

  it('of a checklist item fetches its task', async ({ elsewhere }) => {
    const { id } = await elsewhere.tasks.create({ title: 'Write' })
    await cache.fetchQuery(queries.task(id))
    await cache.fetchQuery(queries.openTasks())
    await elsewhere.checklistItems.create({ taskId: id, title: 'Step' })
    const event = await latestEvent(elsewhere, 'checklistItem.created')

    await takeAll(event)

    await expect
      .poll(() => cache.getQueryData<FullTask>(keys.task(id))?.checklistItems)
      .toMatchObject([{ title: 'Step' }])
  })

  it.for([
    ['timeBlock.updated', keys.planner],
    ['plannerRun.created', keys.planner],
    ['project.updated', keys.projects],
    ['space.updated', keys.spaces],
    ['space.updated', keys.defaultSchedules],
    ['project.updated', keys.defaultSchedules],
    ['label.updated', keys.labels],
    ['label.deleted', keys.openTasks],
    ['document.updated', keys.documents],
    ['document.updated', keys.documentTexts],
    ['schedulePreference.created', keys.preferences],
    ['notification.created', keys.notifications],
    ['user.updated', keys.profile],
    ['settings.updated', keys.settings],
    ['apiKey.created', keys.apiKeys],
    ['feed.created', keys.feeds],
    ['planCalendar.published', keys.planCalendars],
    ['connectedAccount.created', keys.connectedAccounts],
    ['webhook.updated', keys.webhooks],
  ] as const)('%s invalidates %j', async ([type, key], { elsewhere }) => {
    expect(elsewhere).toBeDefined()
    cache.setQueryData(key, [])

    const after = type.endsWith('deleted') ? null : {}
    await takeAll({ type, recordId: 'x', before: {}, after } as unknown as Event)

    expect(cache.getQueryState(key)?.isInvalidated).toBe(true)
  })

  it('for each of many tasks leads to one request for all', async ({ elsewhere }) => {
    for (let count = 0; count < 13; count += 1) await elsewhere.tasks.create({ title: `${count}` })
    await cache.fetchQuery(queries.openTasks())
    const tasks = shown()

    await takeAll(
      ...tasks.map(
        ({ id }) => ({ type: 'task.updated', recordId: id, after: {} }) as unknown as Event,
      ),
    )

    expect(sent('GET', /^\/api\/tasks\/[\da-f-]{36}$/)).toEqual([])
    expect(cache.getQueryState(keys.openTasks)?.isInvalidated).toBe(true)
  })
})

describe('an event of a block', () => {
  const at = (hours: number) => new Date(Date.UTC(2030, 0, 7, hours))
  const ranges = [queries.blocks(at(0), at(24)), queries.blocks(at(24), at(48))] as const
  const starts = () =>
    ranges.map(({ queryKey }) => cache.getQueryData(queryKey)!.map((each) => each.startAt))
  const requests = () => sent('GET', /^\/api\/time-blocks/).length

  async function showBlock(elsewhere: Client) {
    const { id: taskId } = await elsewhere.tasks.create({ title: 'Write' })
    const span = { startAt: at(9), endAt: at(10) }
    const { id } = await elsewhere.timeBlocks.create({ taskId, ...span })
    await cache.fetchQuery(queries.openTasks())
    await Promise.all(ranges.map((range) => cache.fetchQuery(range)))
    return { id, taskId }
  }

  it('moves the block between days without a request', async ({ elsewhere }) => {
    const { id } = await showBlock(elsewhere)
    await elsewhere.timeBlocks.update(id, { startAt: at(33), endAt: at(34) })
    await takeAll(await latestEvent(elsewhere, 'timeBlock.updated'))

    expect(starts()).toEqual([[], [at(33)]])
    expect(cache.getQueryData(ranges[1].queryKey)).toEqual(
      await elsewhere.timeBlocks.list({ from: at(24), to: at(48) }),
    )
    expect(requests()).toBe(2)
  })

  it('removes a cancelled block without a request', async ({ elsewhere }) => {
    const { id } = await showBlock(elsewhere)
    await elsewhere.timeBlocks.update(id, { status: 'cancelled' })
    await takeAll(await latestEvent(elsewhere, 'timeBlock.updated'))

    expect(starts()).toEqual([[], []])
    expect(requests()).toBe(2)
  })

  it('fetches the blocks if its task is not in the cache', async ({ elsewhere }) => {
    await showBlock(elsewhere)
    const { id: taskId } = await elsewhere.tasks.create({ title: 'New' })
    await elsewhere.timeBlocks.create({ taskId, startAt: at(11), endAt: at(12) })
    await takeAll(await latestEvent(elsewhere, 'timeBlock.created'))

    expect(cache.getQueryState(ranges[0].queryKey)?.isInvalidated).toBe(true)
  })

  it('gets the new title of its task without a request', async ({ elsewhere }) => {
    const { taskId } = await showBlock(elsewhere)
    await elsewhere.tasks.update(taskId, { title: 'Rewrite', priority: 'urgent' })
    await takeAll(await latestEvent(elsewhere, 'task.updated'))

    const [block] = cache.getQueryData(ranges[0].queryKey)!
    expect(block!.task).toMatchObject({ title: 'Rewrite', priority: 'urgent' })
    expect(requests()).toBe(2)
  })
})

describe('the stream of events', () => {
  it('is followed until it is stopped', async ({ elsewhere }) => {
    await elsewhere.tasks.create({ title: 'Write' })
    await cache.fetchQuery(queries.openTasks())
    const stop = followEvents()
    await expect.poll(() => sent('GET', /^\/api\/events$/).length).toBe(1)
    await elsewhere.tasks.create({ title: 'Another' })
    await expect.poll(titles).toContain('Another')

    await perform(prioritise(shown(), 'high'))
    stop()

    expect(shown().map(({ priority }) => priority)).toEqual(['high', 'high'])
  })
})
