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
async function taken(...events: Event[]) {
  const last = ['last of all']
  cache.setQueryData(last, 0)
  for (const event of events) take(event)
  refresh(last)
  await expect.poll(() => cache.getQueryState(last)?.isInvalidated).toBe(true)
}

describe('an event', () => {
  it('of a change elsewhere updates the task', async ({ elsewhere }) => {
    const { id } = await elsewhere.tasks.create({ title: 'Write' })
    await cache.fetchQuery(queries.openTasks())
    await elsewhere.tasks.update(id, { title: 'Written elsewhere' })
    const event = await latestEvent(elsewhere, 'task.updated')

    await taken(event)

    await expect.poll(titles).toEqual(['Written elsewhere'])
    expect(sent('GET', new RegExp(`^/api/tasks/${id}$`))).toHaveLength(1)
  })

  it('of our own change is not fetched again', async ({ elsewhere }) => {
    const made = await elsewhere.tasks.create({ title: 'Write' })
    await cache.fetchQuery(queries.openTasks())
    await perform(rename(shown()[0]!, 'Written here'))
    const event = await latestEvent(elsewhere, 'task.updated')
    expect(event.after).toMatchObject({ title: 'Written here' })

    await taken(event)

    expect(titles()).toEqual(['Written here'])
    expect(sent('GET', new RegExp(`^/api/tasks/${made.id}$`))).toEqual([])
    expect(sent('GET', /^\/api\/time-blocks/)).toEqual([])
  })

  it('of our own change is not fetched again if it comes before the answer', async ({
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
    // Timers fire in order: this one after that of the batched events.
    await new Promise((resolve) => setTimeout(resolve, 41))
    answered.resolve()
    await performed
    await taken()

    expect(titles()).toEqual(['Written here'])
    expect(sent('GET', new RegExp(`^/api/tasks/${id}$`))).toEqual([])
  })

  it('of a new task adds it, and of a deleted one removes it', async ({ elsewhere }) => {
    await cache.fetchQuery(queries.openTasks())
    const { id } = await elsewhere.tasks.create({ title: 'New' })
    const created = await latestEvent(elsewhere, 'task.created')
    await taken(created)
    await expect.poll(titles).toEqual(['New'])

    await elsewhere.tasks.delete(id, { permanent: true })
    take(await latestEvent(elsewhere, 'task.deleted'))

    expect(titles()).toEqual([])
    expect(cache.getQueryData<FullTask>(keys.task(id))).toBeUndefined()
  })

  it('of a completed task removes it from the open ones', async ({ elsewhere }) => {
    const { id } = await elsewhere.tasks.create({ title: 'Write' })
    await cache.fetchQuery(queries.openTasks())
    await elsewhere.tasks.batch('complete', [id])
    const event = await latestEvent(elsewhere, 'task.updated')

    await taken(event)

    await expect.poll(titles).toEqual([])
  })

  it('of a checklist item fetches its task', async ({ elsewhere }) => {
    const { id } = await elsewhere.tasks.create({ title: 'Write' })
    await cache.fetchQuery(queries.task(id))
    await cache.fetchQuery(queries.openTasks())
    await elsewhere.checklistItems.create({ taskId: id, title: 'Step' })
    const event = await latestEvent(elsewhere, 'checklistItem.created')

    await taken(event)

    await expect
      .poll(() => cache.getQueryData<FullTask>(keys.task(id))?.checklistItems)
      .toMatchObject([{ title: 'Step' }])
  })

  it.for([
    ['timeBlock.updated', keys.blocks],
    ['plannerRun.created', keys.planner],
    ['project.updated', keys.projects],
    ['space.updated', keys.spaces],
    ['label.updated', keys.labels],
    ['label.updated', keys.openTasks],
    ['document.updated', keys.documents],
    ['document.updated', keys.documentTexts],
    ['schedulePreference.created', keys.preferences],
    ['notification.created', keys.notifications],
    ['user.updated', keys.profile],
    ['settings.updated', keys.settings],
    ['apiKey.created', keys.apiKeys],
    ['feed.created', keys.feeds],
    ['webhook.updated', keys.webhooks],
  ] as const)('%s invalidates %j', async ([type, key], { elsewhere }) => {
    expect(elsewhere).toBeDefined()
    cache.setQueryData(key, [])

    await taken({ type, recordId: 'x', before: {}, after: {} } as unknown as Event)

    expect(cache.getQueryState(key)?.isInvalidated).toBe(true)
  })

  it('of many tasks leads to one request for all of them', async ({ elsewhere }) => {
    for (let count = 0; count < 13; count += 1) await elsewhere.tasks.create({ title: `${count}` })
    await cache.fetchQuery(queries.openTasks())
    const tasks = shown()

    await taken(
      ...tasks.map(
        ({ id }) => ({ type: 'task.updated', recordId: id, after: {} }) as unknown as Event,
      ),
    )

    expect(sent('GET', /^\/api\/tasks\/[\da-f-]{36}$/)).toEqual([])
    expect(cache.getQueryState(keys.openTasks)?.isInvalidated).toBe(true)
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
