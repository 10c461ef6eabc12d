// A change without effect appends no event. Its undo must not revert an earlier change.
import { describe, expect, it, refusal, onRequest } from '../../../test/it.ts'
import type { Client } from '@daywright/client'
import type { ListedTimeBlock } from '@daywright/contract'
import { perform } from '../run-mutation.ts'
import type { Action } from '../action.ts'
import { undoLast } from '../undo.ts'
import { lockBlock, moveBlock } from './blocks.ts'
import { finishTasks } from './change-tasks.ts'
import { changeItem } from './checklist.ts'
import { updateDocument } from './documents.ts'
import { updateLabel } from './labels.ts'
import { updateProject } from './projects.ts'
import { updatePreference } from './schedule-preferences.ts'
import { updateSpace } from './spaces.ts'
import { addLabel, prioritise, setStatus } from './task-fields.ts'

type Case = {
  /** The change, applied to the record as it is now. */
  action: () => Promise<Action>
  stored: () => Promise<unknown>
}

async function block(client: Client) {
  const task = await client.tasks.create({ title: 'Write' })
  const { id } = await client.timeBlocks.create({
    taskId: task.id,
    startAt: new Date('2030-01-07T09:00:00Z'),
    endAt: new Date('2030-01-07T10:00:00Z'),
  })
  return () => client.timeBlocks.get(id) as Promise<ListedTimeBlock>
}

const cases: Record<string, (client: Client) => Promise<Case>> = {
  document: async ({ documents }) => {
    const { id } = await documents.create({ title: 'Brief' })
    const stored = () => documents.get(id)
    return {
      action: async () => updateDocument(await stored(), { title: 'Plan' }, 'Renamed.'),
      stored,
    }
  },
  project: async ({ projects }) => {
    const { id } = await projects.create({ name: 'House' })
    const stored = () => projects.get(id)
    const targetDate = '2030-01-07T00:00:00.000Z'
    return {
      action: async () => updateProject(await stored(), { targetDate }, 'Changed.'),
      stored,
    }
  },
  'place of a block': async (client) => {
    const stored = await block(client)
    const place = {
      startAt: new Date('2030-01-08T09:00:00Z'),
      endAt: new Date('2030-01-08T10:00:00Z'),
    }
    return { action: async () => moveBlock(await stored(), place, 'Moved.'), stored }
  },
  'lock of a block': async (client) => {
    const stored = await block(client)
    return { action: async () => lockBlock(await stored(), true), stored }
  },
  space: async ({ spaces }) => {
    await spaces.create({ name: 'Work' })
    const stored = async () => (await spaces.list())[0]!
    return { action: async () => updateSpace(await stored(), { name: 'Job' }, 'Renamed.'), stored }
  },
  label: async ({ labels }) => {
    await labels.create({ name: 'home' })
    const stored = async () => (await labels.list())[0]!
    return {
      action: async () => updateLabel(await stored(), { name: 'house' }, 'Renamed.'),
      stored,
    }
  },
  'schedule preference': async ({ schedulePreferences }) => {
    const windows = [{ day: [1, 2], start: '09:00', end: '12:00' }]
    const { id } = await schedulePreferences.create({ name: 'Office', windows })
    const stored = async () => (await schedulePreferences.list()).find((each) => each.id === id)!
    const later = [{ day: [1, 2], start: '10:00', end: '12:00' }]
    return {
      action: async () => updatePreference(await stored(), { windows: later }, 'Changed.'),
      stored,
    }
  },
  'checklist item': async ({ tasks, checklistItems }) => {
    const { id } = await tasks.create({ title: 'Move house' })
    await checklistItems.create({ taskId: id, title: 'Boxes' })
    const stored = async () => (await tasks.get(id)).checklistItems[0]!
    return { action: async () => changeItem(await stored(), { completed: true }), stored }
  },
  'status of a task': async ({ tasks }) => {
    const { id } = await tasks.create({ title: 'Write' })
    const stored = () => tasks.get(id)
    return { action: async () => setStatus([await stored()], 'in_progress'), stored }
  },
  'label of a task': async ({ tasks, labels }) => {
    const { id } = await tasks.create({ title: 'Write' })
    const label = await labels.create({ name: 'home', color: '#112233' })
    const stored = () => tasks.get(id)
    return { action: async () => addLabel([await stored()], label), stored }
  },
  'done task': async ({ tasks }) => {
    const { id } = await tasks.create({ title: 'Write' })
    const stored = () => tasks.get(id)
    return { action: async () => finishTasks([await stored()], 'archive'), stored }
  },
}

const withoutTime = (record: unknown) => ({ ...(record as object), updatedAt: undefined })

describe('undo of a change without effect', () => {
  it.for(Object.entries(cases))(
    '%s: keeps the earlier change',
    async ([, arrange], { elsewhere }) => {
      const { action, stored } = await arrange(elsewhere)
      const before = withoutTime(await stored())
      expect(await perform(await action())).toMatchObject({ ok: true })
      const changed = withoutTime(await stored())
      expect(changed).not.toEqual(before)
      expect(await perform(await action())).toMatchObject({ ok: true })

      await undoLast()
      expect(withoutTime(await stored())).toEqual(changed)

      await undoLast()
      expect(withoutTime(await stored())).toEqual(before)
    },
  )

  it('keeps the earlier change if a change of several tasks is refused for one', async ({
    elsewhere,
  }) => {
    const { tasks } = elsewhere
    const { id } = await tasks.create({ title: 'Alpha' })
    const other = await tasks.create({ title: 'Bravo' })
    await perform(prioritise([await tasks.get(id)], 'high'))
    onRequest((path, { method }) =>
      method === 'PATCH' && path.endsWith(other.id) ? refusal(422, 'Not so') : undefined,
    )

    await perform(prioritise([await tasks.get(id), other], 'high'))

    expect(await tasks.get(id)).toMatchObject({ priority: 'high' })
  })
})
