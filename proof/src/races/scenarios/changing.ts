// Two concurrent changes of the same records.
import { blocksOf, newTask, patch, post, remove, type Scenario, type Stage } from '../scenario.ts'

async function blocks(stage: Stage, count: number): Promise<string[]> {
  const { id } = await newTask(stage)
  const ids: string[] = []
  for (let hour = 0; hour < count; hour += 1) {
    const [startAt, endAt] = [9 + hour, 10 + hour].map(
      (time) => `2030-01-07T${String(time).padStart(2, '0')}:00:00Z`,
    )
    ids.push((await stage.post('/api/time-blocks', { taskId: id, startAt, endAt })).id)
  }
  return ids
}

async function labels(stage: Stage, ...names: string[]): Promise<{ id: string }[]> {
  const made = []
  for (const name of names) made.push(await stage.post('/api/labels', { name }))
  return made
}

export const changing: Scenario[] = [
  {
    name: 'title × priority × estimate of a task',
    async prepare(stage) {
      const { id } = await newTask(stage)
      return [
        patch(`tasks/${id}`, { title: 'Read' }),
        patch(`tasks/${id}`, { priority: 'high' }),
        patch(`tasks/${id}`, { estimateMinutes: 15 }),
      ]
    },
  },
  {
    name: 'reorder × reorder',
    async prepare(stage) {
      const [a = '', b = '', c = ''] = await blocks(stage, 3)
      return [
        patch('time-blocks/reorder', { orderedIds: [a, b, c] }),
        patch('time-blocks/reorder', { orderedIds: [c, b, a] }),
        patch('time-blocks/reorder', { orderedIds: [b, c] }),
      ]
    },
  },
  {
    name: 'reorder × delete × drag',
    async prepare(stage) {
      const [a = '', b = '', c = ''] = await blocks(stage, 3)
      return [
        patch('time-blocks/reorder', { orderedIds: [c, b, a] }),
        remove(`time-blocks/${b}`),
        patch(`time-blocks/${a}`, { sortOrder: 9 }),
      ]
    },
  },
  {
    name: 'reorder × planner',
    async prepare(stage) {
      await newTask(stage)
      await newTask(stage)
      await stage.post('/api/planner')
      const planned = await blocksOf(stage)
      return [
        patch('time-blocks/reorder', { orderedIds: planned.map(({ id }) => id).toReversed() }),
        post('planner'),
      ]
    },
  },
  {
    name: 'labels of a task replaced × replaced',
    async prepare(stage) {
      const [one, other, third] = await labels(stage, 'one', 'other', 'third')
      const { id } = await newTask(stage, { labelIds: [third?.id] })
      return [
        patch(`tasks/${id}`, { labelIds: [one?.id] }),
        patch(`tasks/${id}`, { labelIds: [other?.id] }),
      ]
    },
  },
  {
    name: 'labels and title of a task × its priority',
    async prepare(stage) {
      const [one] = await labels(stage, 'one')
      const { id } = await newTask(stage)
      return [
        patch(`tasks/${id}`, { labelIds: [one?.id], title: 'Labelled' }),
        patch(`tasks/${id}`, { priority: 'high' }),
      ]
    },
  },
  {
    name: 'batch × batch, the other way round',
    async prepare(stage) {
      const ids: string[] = []
      for (let count = 0; count < 3; count += 1) ids.push((await newTask(stage)).id)
      return [
        post('tasks/batch', { action: 'complete', taskIds: ids }),
        post('tasks/batch', { action: 'archive', taskIds: ids.toReversed() }),
      ]
    },
  },
  {
    name: 'batch × delete × edit',
    async prepare(stage) {
      const one = await newTask(stage)
      const other = await newTask(stage)
      return [
        post('tasks/batch', { action: 'complete', taskIds: [other.id, one.id] }),
        remove(`tasks/${one.id}?permanent=true`),
        patch(`tasks/${other.id}`, { status: 'in_progress', estimateMinutes: 5 }),
      ]
    },
  },
  {
    name: 'dependency × the same turned round',
    async prepare(stage) {
      const one = await newTask(stage)
      const other = await newTask(stage)
      return [
        post(`tasks/${one.id}/dependencies`, { dependsOnTaskId: other.id }),
        post(`tasks/${other.id}/dependencies`, { dependsOnTaskId: one.id }),
      ]
    },
  },
  {
    name: 'dependencies that close a circle of three',
    async prepare(stage) {
      const ids: string[] = []
      for (let count = 0; count < 3; count += 1) ids.push((await newTask(stage)).id)
      return ids.map((id, place) =>
        post(`tasks/${id}/dependencies`, { dependsOnTaskId: ids[(place + 1) % 3] }),
      )
    },
  },
  {
    name: 'dependency × the same × its removal',
    async prepare(stage) {
      const one = await newTask(stage)
      const other = await newTask(stage)
      const add = post(`tasks/${one.id}/dependencies`, { dependsOnTaskId: other.id })
      return [add, add, remove(`tasks/${one.id}/dependencies/${other.id}`)]
    },
  },
  {
    name: 'document linked × linked × unlinked',
    async prepare(stage) {
      const { id } = await newTask(stage)
      const document = await stage.post('/api/documents', { title: 'Notes' })
      const link = post(`tasks/${id}/documents`, { documentId: document.id })
      return [link, link, remove(`tasks/${id}/documents/${document.id}`)]
    },
  },
  {
    name: 'label × label of the same name × rename to it',
    async prepare(stage) {
      const [other] = await labels(stage, 'other')
      return [
        post('labels', { name: 'home' }),
        post('labels', { name: 'home' }),
        patch(`labels/${other?.id}`, { name: 'home' }),
      ]
    },
  },
  {
    name: 'label names exchanged',
    async prepare(stage) {
      const [one, other] = await labels(stage, 'one', 'other')
      return [
        patch(`labels/${one?.id}`, { name: 'third' }),
        patch(`labels/${other?.id}`, { name: 'one' }),
        post('labels', { name: 'other' }),
      ]
    },
  },
]
