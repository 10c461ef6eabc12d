// Planner runs concurrent with other runs, edits, applies and undos.
import { blocksOf, newTask, patch, post, remove, type Scenario, type Stage } from '../scenario.ts'
import { monday } from '../world.ts'

const at = (hours: number) => new Date(monday.getTime() + hours * 3_600_000).toISOString()
const span = (hours: number) => ({ startAt: at(hours), endAt: at(hours + 1) })
const planner = post('planner')

/** Two planned tasks, and a third that will displace them. */
async function prepareReplanning(stage: Stage) {
  const first = await newTask(stage)
  const second = await newTask(stage)
  await stage.post('/api/planner')
  const urgent = await newTask(stage, { priority: 'urgent', dueAt: at(3) })
  const [block] = await blocksOf(stage)
  return { first, second, urgent, block: block?.id }
}

async function lastRun(stage: Stage): Promise<string> {
  return (await stage.get('/api/planner/runs')).runs[0].id
}

export const planning: Scenario[] = [
  {
    name: 'planner × planner, nothing planned yet',
    async prepare(stage) {
      await newTask(stage)
      await newTask(stage, { priority: 'high' })
      return [planner, planner]
    },
  },
  {
    name: 'planner × planner × planner, over a plan',
    async prepare(stage) {
      await prepareReplanning(stage)
      return [planner, planner, planner]
    },
  },
  {
    name: 'planner × edit of what it plans',
    async prepare(stage) {
      const { id } = await newTask(stage)
      return [planner, patch(`tasks/${id}`, { title: 'Read', estimateMinutes: 120 })]
    },
  },
  {
    name: 'planner × new task × complete',
    async prepare(stage) {
      const { first } = await prepareReplanning(stage)
      return [
        planner,
        post('tasks', { title: 'New', estimateMinutes: 30, priority: 'urgent' }),
        patch(`tasks/${first.id}`, { status: 'completed' }),
      ]
    },
  },
  {
    name: 'planner × drag of a block',
    async prepare(stage) {
      const { block } = await prepareReplanning(stage)
      return [planner, patch(`time-blocks/${block}`, span(5))]
    },
  },
  {
    name: 'planner × lock and delete of a block',
    async prepare(stage) {
      const { block } = await prepareReplanning(stage)
      return [
        planner,
        patch(`time-blocks/${block}`, { locked: true }),
        remove(`time-blocks/${block}`),
      ]
    },
  },
  {
    name: 'planner × a block by hand × preference',
    async prepare(stage) {
      const { first } = await prepareReplanning(stage)
      const windows = [{ day: [1, 2, 3], start: '13:00', end: '18:00' }]
      const preference = await stage.post('/api/schedule-preferences', { name: 'Late', windows })
      return [
        planner,
        post('time-blocks', { taskId: first.id, ...span(1) }),
        patch(`tasks/${first.id}`, { schedulePreferenceId: preference.id }),
      ]
    },
  },
  {
    name: 'planner × delete of a task for good',
    async prepare(stage) {
      const { first } = await prepareReplanning(stage)
      return [planner, remove(`tasks/${first.id}?permanent=true`)]
    },
  },
  {
    name: 'planner that clears away × edit of what is due to go',
    async prepare(stage) {
      const { id } = await newTask(stage, { status: 'archived' })
      const child = await newTask(stage, { parentTaskId: id })
      await stage.sql.query(`update tasks set archived_at = $3 where user_id = $1 and id = $2`, [
        stage.me.id,
        id,
        at(-24 * 40),
      ])
      return [
        planner,
        patch(`tasks/${id}`, { status: 'todo' }),
        patch(`tasks/${child.id}`, { title: 'Own' }),
      ]
    },
  },
  {
    name: 'planner that clears away × new subtask × new block',
    async prepare(stage) {
      const { id } = await newTask(stage, { status: 'archived' })
      await stage.sql.query(`update tasks set archived_at = $3 where user_id = $1 and id = $2`, [
        stage.me.id,
        id,
        at(-24 * 40),
      ])
      return [
        planner,
        post('tasks', { title: 'Part', parentTaskId: id }),
        post('time-blocks', { taskId: id, ...span(2) }),
      ]
    },
  },
  {
    name: 'preview × edit',
    async prepare(stage) {
      const { first } = await prepareReplanning(stage)
      return [post('planner/preview'), patch(`tasks/${first.id}`, { estimateMinutes: 30 })]
    },
  },
  {
    name: 'apply × apply × edit',
    async prepare(stage) {
      const { first } = await prepareReplanning(stage)
      const { id } = await stage.post('/api/planner/preview')
      const apply = post(`planner/runs/${id}/apply`)
      return [apply, apply, patch(`tasks/${first.id}`, { title: 'Read', estimateMinutes: 30 })]
    },
  },
  {
    name: 'apply × planner × drag of a block',
    async prepare(stage) {
      const { block } = await prepareReplanning(stage)
      const { id } = await stage.post('/api/planner/preview')
      return [post(`planner/runs/${id}/apply`), planner, patch(`time-blocks/${block}`, span(5))]
    },
  },
  {
    name: 'undo × undo × a block by hand',
    async prepare(stage) {
      const { urgent } = await prepareReplanning(stage)
      await stage.post('/api/planner')
      const undo = post(`planner/runs/${await lastRun(stage)}/undo`)
      return [undo, undo, post('time-blocks', { taskId: urgent.id, ...span(1.25) })]
    },
  },
  {
    name: 'undo × planner × complete',
    async prepare(stage) {
      const { first } = await prepareReplanning(stage)
      await stage.post('/api/planner')
      const undo = post(`planner/runs/${await lastRun(stage)}/undo`)
      return [undo, planner, patch(`tasks/${first.id}`, { status: 'completed' })]
    },
  },
  {
    name: 'undo × drag of a block that it takes away',
    async prepare(stage) {
      await prepareReplanning(stage)
      await stage.post('/api/planner')
      const [block] = await blocksOf(stage)
      const undo = post(`planner/runs/${await lastRun(stage)}/undo`)
      return [undo, patch(`time-blocks/${block?.id}`, span(4))]
    },
  },
]
