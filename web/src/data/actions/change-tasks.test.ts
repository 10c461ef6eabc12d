import { describe, expect, it, onRequest, refusal, sent } from '../../../test/it.ts'
import type { ListedTask, Task } from '@daywright/contract'
import type { Client } from '@daywright/client'
import { shownToasts } from '../toasts.ts'
import { cache } from '../query-client.ts'
import { keys } from '../keys.ts'
import { perform } from '../run-mutation.ts'
import { queries } from '../queries.ts'
import { undoLast } from '../undo.ts'
import { changeTasks, deleteTasks, finishTasks } from './change-tasks.ts'
import {
  addLabel,
  estimate,
  moveTo,
  prioritise,
  removeLabel,
  rename,
  setDate,
  setStatus,
} from './task-fields.ts'

const titlesOf = ['Alpha', 'Bravo', 'Charlie']

/** Three tasks that the page shows. */
async function someTasks(elsewhere: Client) {
  for (const title of titlesOf) await elsewhere.tasks.create({ title, estimateMinutes: 30 })
  const tasks = await cache.fetchQuery(queries.openTasks())
  return tasks.toSorted((one, other) => one.title.localeCompare(other.title))
}

const shown = () => cache.getQueryData<ListedTask[]>(keys.openTasks) ?? []
const stored = async (elsewhere: Client, tasks: Task[]) =>
  Promise.all(tasks.map(({ id }) => elsewhere.tasks.get(id)))
const byTitle = (tasks: { title: string }[], title: string) =>
  tasks.find((task) => task.title === title)

describe('changeTasks', () => {
  it('shows the change before the service has answered, and keeps its answer', async ({
    elsewhere,
  }) => {
    const tasks = await someTasks(elsewhere)

    const performed = perform(prioritise(tasks, 'high'))
    expect(shown().map(({ priority }) => priority)).toEqual(['high', 'high', 'high'])
    expect(await performed).toMatchObject({ ok: true })

    const now = await stored(elsewhere, tasks)
    expect(now.map(({ priority }) => priority)).toEqual(['high', 'high', 'high'])
    for (const task of now) {
      expect(byTitle(shown(), task.title)).toMatchObject({ updatedAt: task.updatedAt })
    }
  })

  it('reverts the successful changes if one is refused, and updates the page', async ({
    elsewhere,
  }) => {
    const tasks = await someTasks(elsewhere)
    await elsewhere.tasks.delete(tasks[2]!.id, { permanent: true })

    const outcome = await perform(prioritise(tasks, 'high'))

    expect(outcome).toMatchObject({ ok: false, error: { status: 404 } })
    const left = await stored(elsewhere, tasks.slice(0, 2))
    expect(left.map(({ priority }) => priority)).toEqual(['none', 'none'])
    expect(shown().map(({ priority }) => priority)).toEqual(['none', 'none', 'none'])
  })

  it('names the tasks that could not be reverted', async ({ elsewhere }) => {
    const tasks = await someTasks(elsewhere)
    onRequest((path, { method }) => {
      if (method === 'PATCH' && path.endsWith(tasks[2]!.id)) return refusal(409, 'Conflict')
      return path.endsWith('/revert') ? refusal(409, 'Changed since') : undefined
    })

    await perform(prioritise(tasks, 'high'))

    expect(shownToasts().map(({ text }) => text)).toEqual([
      'Only some of this was saved. Check these, which may have changed: “Alpha”, “Bravo”.',
    ])
    expect(await stored(elsewhere, tasks)).toMatchObject([
      { priority: 'high' },
      { priority: 'high' },
      { priority: 'none' },
    ])
  })

  it('names the tasks whose response was lost', async ({ elsewhere }) => {
    const tasks = await someTasks(elsewhere)
    onRequest((path, { method }) => {
      if (method === 'PATCH' && path.endsWith(tasks[2]!.id)) throw new TypeError('network')
      return undefined
    })

    await perform(prioritise(tasks, 'high'))

    expect(shownToasts().at(-1)?.text).toContain('may have changed: “Charlie”.')
  })

  it('is undone for each task', async ({ elsewhere }) => {
    const tasks = await someTasks(elsewhere)
    await perform(prioritise(tasks, 'high'))

    await undoLast()

    const now = await stored(elsewhere, tasks)
    expect(now.map(({ priority }) => priority)).toEqual(['none', 'none', 'none'])
  })

  it('undoes nothing for a task that the change did not affect', async ({ elsewhere }) => {
    const [first, second] = await someTasks(elsewhere)
    await perform(prioritise([first!], 'low'))
    await perform(prioritise([first!], 'high'))
    const tasks = shown().filter(({ id }) => id === first!.id || id === second!.id)
    await perform(prioritise(tasks, 'high'))

    await undoLast()

    expect(await stored(elsewhere, [first!, second!])).toMatchObject([
      { priority: 'high' },
      { priority: 'none' },
    ])
  })

  it('names the tasks that an undo could not revert', async ({ elsewhere }) => {
    const tasks = await someTasks(elsewhere)
    await perform(prioritise(tasks, 'high'))
    await elsewhere.tasks.delete(tasks[1]!.id, { permanent: true })

    await undoLast()

    expect(shownToasts().at(-1)?.text).toContain('may have changed: “Bravo”.')
    const left = await stored(elsewhere, [tasks[0]!, tasks[2]!])
    expect(left.map(({ priority }) => priority)).toEqual(['none', 'none'])
  })

  it('sends no more than six requests concurrently', async ({ elsewhere }) => {
    for (let count = 0; count < 10; count += 1) await elsewhere.tasks.create({ title: `${count}` })
    const tasks = await cache.fetchQuery(queries.openTasks())
    let most = 0
    const action = changeTasks(tasks, () => ({ changes: { priority: 'low' }, shown: {} }))
    onRequest(() => {
      const underWay = sent('PATCH').filter(({ status }) => status === undefined)
      most = Math.max(most, underWay.length)
      return undefined
    })

    await perform(action)

    expect(most).toBe(6)
    expect(sent('PATCH')).toHaveLength(10)
  })
})

describe('finishTasks', () => {
  it.for(['complete', 'archive'] as const)(
    '%s: sends one request for all, removes them from the open tasks, and undo restores them',
    async (how, { elsewhere }) => {
      const tasks = await someTasks(elsewhere)

      await perform(finishTasks(tasks, how))

      expect(sent('POST', /\/batch$/)).toHaveLength(1)
      expect(shown()).toEqual([])
      const status = how === 'complete' ? 'completed' : 'archived'
      expect(await stored(elsewhere, tasks)).toMatchObject([{ status }, { status }, { status }])

      await undoLast()

      const now = await stored(elsewhere, tasks)
      expect(now.map((task) => task.status)).toEqual(['todo', 'todo', 'todo'])
      expect(
        shown()
          .map(({ title }) => title)
          .toSorted(),
      ).toEqual(titlesOf)
    },
  )
})

describe('deleteTasks', () => {
  it('deletes them permanently, and undo restores them', async ({ elsewhere }) => {
    const tasks = await someTasks(elsewhere)

    await perform(deleteTasks(tasks.slice(0, 2)))
    expect(shown().map(({ title }) => title)).toEqual(['Charlie'])
    expect((await elsewhere.tasks.list()).pagination.total).toBe(1)

    await undoLast()
    expect((await elsewhere.tasks.list()).pagination.total).toBe(3)
  })
})

describe('the fields of a task', () => {
  it('are changed, each by its own action, and undone', async ({ elsewhere }) => {
    const [task] = (await someTasks(elsewhere)) as [ListedTask]
    const label = await elsewhere.labels.create({ name: 'home', color: '#112233' })
    const space = await elsewhere.spaces.create({ name: 'Work' })
    const dueAt = new Date('2026-12-01T09:00:00Z')
    const place = { space: { ...space, icon: space.icon ?? null }, project: null }
    const now = () => shown().find(({ id }) => id === task.id)!
    const cases = [
      [() => rename(now(), 'Renamed'), { title: 'Renamed' }],
      [() => estimate([now()], 90), { estimateMinutes: 90 }],
      [() => setDate([now()], 'dueAt', dueAt), { dueAt }],
      [() => setDate([now()], 'startAfter', dueAt), { startAfter: dueAt }],
      [() => setStatus([now()], 'in_progress'), { status: 'in_progress' }],
      [() => moveTo([now()], place), { spaceId: space.id }],
      [() => addLabel([now()], label), { labels: [{ id: label.id }] }],
    ] as const

    for (const [action, changed] of cases) {
      const before = await elsewhere.tasks.get(task.id)
      expect(await perform(action())).toMatchObject({ ok: true })
      expect(now()).toMatchObject(changed)
      expect(await elsewhere.tasks.get(task.id)).toMatchObject(changed)

      await undoLast()
      const { updatedAt: _, ...former } = before
      expect(await elsewhere.tasks.get(task.id)).toMatchObject(former)
      expect(await perform(action())).toMatchObject({ ok: true })
    }
    await perform(removeLabel([now()], label))
    await perform(setDate([now()], 'dueAt', null))
    expect(await elsewhere.tasks.get(task.id)).toMatchObject({ labels: [], dueAt: null })
  })

  it('setStatus: completing and archiving use the batch operation, reopening clears completedAt', async ({
    elsewhere,
  }) => {
    const [task] = (await someTasks(elsewhere)) as [ListedTask]
    await perform(setStatus([task], 'completed'))
    const done = await elsewhere.tasks.get(task.id)
    expect(done.completedAt).toBeInstanceOf(Date)

    await perform(setStatus([done], 'todo'))

    expect(await elsewhere.tasks.get(task.id)).toMatchObject({ status: 'todo', completedAt: null })
    await perform(setStatus([task], 'archived'))
    expect(await elsewhere.tasks.get(task.id)).toMatchObject({ status: 'archived' })
  })
})
