import fc from 'fast-check'
import { bodyFor, call, expect, idFor, missing, type Scene, success } from '../call.ts'
import type { Answer } from '../client.ts'
import { command } from '../command.ts'
import { editTask } from '../follow.ts'
import { type Filled, written } from '../fill.ts'
import { freshId } from '../fresh-id.ts'
import { isOpen, now, removeTask, type Task } from '../model.ts'
import { fullTask, taskOf, taskPage } from '../show.ts'
import {
  type Body,
  body,
  clearableMoment,
  flag,
  longText,
  moment,
  nullable,
  number,
  oneOf,
  pick,
  rarely,
  reference,
  references,
  text,
  whole,
} from '../values.ts'
import { cancelOwnBlocks } from '../own-blocks.ts'
import { permanence } from './permanence.ts'
import { progress, progressOf } from './progress.ts'

const statuses = ['backlog', 'todo', 'in_progress', 'completed', 'cancelled', 'archived'] as const

const fields = {
  title: text(1, 500),
  description: longText,
  status: oneOf('todo', 'todo', 'todo', ...statuses),
  priority: oneOf('none', 'low', 'medium', 'high', 'urgent'),
  dueAt: nullable(moment),
  startAfter: nullable(moment),
  estimateMinutes: nullable(whole(0, 960, 30, 45, 65, 120)),
  minSessionMinutes: whole(1, 60, 30),
  maxSessionMinutes: whole(1, 480, 60, 60, 60),
  cooldownMinutes: whole(0, 2_147_483_647, 5, 5, 30),
  autoSchedule: flag,
  autoSplit: flag,
  spaceId: nullable(reference('spaces')),
  projectId: nullable(reference('projects')),
  schedulePreferenceId: nullable(reference('preferences')),
  labelIds: references('labels', 100),
}
const newTask = { ...fields, parentTaskId: nullable(reference('tasks')) }
const changes = {
  ...fields,
  dueAt: clearableMoment,
  startAfter: clearableMoment,
  completedAt: clearableMoment,
  locked: flag,
  sortOrder: number,
}
/** Tasks that the planner schedules: open, with an estimate, and rather short. */
const plannable = {
  title: fields.title,
  estimateMinutes: {
    ...fields.estimateMinutes,
    good: whole(15, 480, 30, 45, 65, 120).good,
    isOptional: true,
  },
  priority: fields.priority,
  dueAt: fields.dueAt,
  minSessionMinutes: fields.minSessionMinutes,
  maxSessionMinutes: fields.maxSessionMinutes,
  cooldownMinutes: { ...fields.cooldownMinutes, good: whole(0, 60, 5, 5, 30).good },
  autoSplit: flag,
  projectId: fields.projectId,
  schedulePreferenceId: fields.schedulePreferenceId,
}
/** Whether the planner's own blocks are cancelled with the task. */
const blocksOfTask = fc.constantFrom('', '', '', 'blocks=cancel', 'blocks=cancel', 'blocks=keep')
const badBlocks = (blocks: string) => (blocks === 'blocks=keep' ? ['blocks'] : [])

export const taskNotFound = { error: 'Task not found' }

const count = (...odd: string[]) =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom('', '', '1', '2', '3') },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  )
const query = fc.record({
  status: rarely(fc.constantFrom<string>(...statuses, ...statuses, 'done'), 4),
  includeCompleted: rarely(fc.constantFrom('true', 'true', 'true', 'false', 'yes'), 4),
  space: rarely(pick, 4),
  project: rarely(pick, 4),
  label: rarely(pick, 4),
  dueBefore: rarely(fc.record({ hours: fc.integer({ min: -9, max: 99 }), form: fc.nat(1) }), 4),
  page: count('999999999', '0', '-1', '1.5', '1e3'),
  limit: count('100', '101', '0', ' 5'),
  progress,
})
const isCount = (given: string, most: number) =>
  given === '' || (/^\d+$/.test(given) && Number(given) >= 1 && Number(given) <= most)

export const tasks = [
  command('listTasks', {}, query, async (scene, drawn) => {
    const operation = 'listTasks'
    const given = new URLSearchParams()
    const space = drawn.space && idFor(scene, 'spaces', drawn.space)
    const project = drawn.project && idFor(scene, 'projects', drawn.project)
    const label = drawn.label && idFor(scene, 'labels', drawn.label)
    const due = drawn.dueBefore && written(scene.world.began, drawn.dueBefore)
    const { status, includeCompleted, page, limit } = drawn
    const sent = {
      status,
      includeCompleted,
      spaceId: space?.id,
      projectId: project?.id,
      labelId: label?.id,
      dueBefore: due?.value,
      page: page || undefined,
      limit: limit || undefined,
      progress: drawn.progress,
    }
    for (const [name, value] of Object.entries(sent)) if (value) given.set(name, value)
    const badQuery = [
      ...(isCount(page, 999_999_999) ? [] : ['page']),
      ...(isCount(limit, 100) ? [] : ['limit']),
      ...(status === 'done' ? ['status'] : []),
      ...(includeCompleted === 'yes' ? ['includeCompleted'] : []),
      ...progressOf(drawn.progress).badQuery,
    ]
    const path = `/api/tasks?${given.toString()}`
    const answer = await call(scene, { operation, method: 'GET', path, badQuery })
    if (!answer) return
    const isWanted = (task: Task) =>
      (status ? task.status === status : includeCompleted === 'true' || isOpen(task)) &&
      (!space || task.spaceId === space.found) &&
      (!project || task.projectId === project.found) &&
      (!label || task.labelIds.has(label.found)) &&
      (!due || (task.dueAt !== null && task.dueAt <= due.time))
    const { asked } = progressOf(drawn.progress)
    const shown = taskPage(scene.me, isWanted, Number(page || 1), Number(limit || 50), asked)
    expect(answer, operation, 200, shown)
  }),

  command(
    'setActualMinutes',
    {},
    fc.record({
      pick,
      changes: body({ actualMinutes: nullable(whole(0, 2_147_483_647, 30, 90)) }, [
        'actualMinutes',
      ]),
    }),
    async (scene, { pick, changes }) => {
      const operation = 'setActualMinutes'
      const { segment, found } = idFor(scene, 'tasks', pick)
      const given = bodyFor(scene, changes)
      const path = `/api/tasks/${segment}/actual-minutes`
      const answer = await call(scene, { operation, method: 'PUT', path, body: given })
      if (!answer) return
      const task = scene.me.rows.tasks.get(found)
      if (!task) return expect(answer, operation, 404, taskNotFound)
      const { actualMinutes } = given.values
      editTask(scene.me, task, answer, () => (task.actualMinutes = actualMinutes))
      expect(answer, operation, 200, { actualMinutes })
    },
  ),

  command('createTask', {}, body(newTask, ['title']), create),

  command('findTask', {}, fc.record({ pick, progress }), async (scene, drawn) => {
    const operation = 'findTask'
    const { segment, found } = idFor(scene, 'tasks', drawn.pick)
    const { query, asked, badQuery } = progressOf(drawn.progress)
    const path = `/api/tasks/${segment}${query}`
    const answer = await call(scene, { operation, method: 'GET', path, badQuery })
    if (!answer) return
    const task = scene.me.rows.tasks.get(found)
    if (!task) return expect(answer, operation, 404, taskNotFound)
    expect(answer, operation, 200, fullTask(scene.me, task, asked))
  }),

  command(
    'updateTask',
    {},
    fc.record({ pick, changes: body(changes), blocks: blocksOfTask }),
    async (scene, { pick, changes, blocks }) => {
      const operation = 'updateTask'
      const { segment, found } = idFor(scene, 'tasks', pick)
      const given = bodyFor(scene, changes)
      const path = `/api/tasks/${segment}${blocks && `?${blocks}`}`
      const badQuery = badBlocks(blocks)
      const request = { operation, method: 'PATCH', path, body: given, badQuery }
      const answer = await call(scene, request)
      if (!answer) return
      const task = scene.me.rows.tasks.get(found)
      if (!task) return expect(answer, operation, 404, taskNotFound)
      if (given.missing.length > 0) return expect(answer, operation, 400, missing(given.missing))
      const { labelIds, ...values } = given.values
      if (Object.keys(given.values).length > 0) {
        editTask(scene.me, task, answer, () => {
          Object.assign(task, values)
          if (labelIds) task.labelIds = new Set(labelIds)
          if (values.status === 'completed') task.actualMinutes ??= task.estimateMinutes
          task.archivedAt = task.status === 'archived' ? (task.archivedAt ?? now(answer)) : null
        })
      }
      if (blocks && !isOpen(task)) cancelOwnBlocks(scene.me.rows, task.id, answer)
      expect(answer, operation, 200, taskOf(scene.me, task))
    },
  ),

  command(
    'deleteTask',
    {},
    fc.record({ pick, permanence, blocks: blocksOfTask }),
    async (scene, { pick, permanence, blocks }) => {
      const operation = 'deleteTask'
      const { segment, found } = idFor(scene, 'tasks', pick)
      const query = [permanence.query.slice(1), blocks].filter(Boolean).join('&')
      const answer = await call(scene, {
        operation,
        method: 'DELETE',
        path: `/api/tasks/${segment}${query && `?${query}`}`,
        badQuery: [...permanence.bad, ...badBlocks(blocks)],
      })
      if (!answer) return
      const task = scene.me.rows.tasks.get(found)
      if (!task) return expect(answer, operation, 404, taskNotFound)
      expect(answer, operation, 200, success)
      if (blocks) cancelOwnBlocks(scene.me.rows, found, answer)
      if (permanence.forGood) {
        removeTask(scene.me.rows, found, answer)
        scene.me.gone.push(found)
        return
      }
      editTask(scene.me, task, answer, () => {
        task.status = 'archived'
        task.archivedAt ??= now(answer)
      })
    },
  ),
]

/** A task that the planner will schedule. */
export const taskToPlan = command(
  'createTask',
  {},
  body(plannable, ['title', 'estimateMinutes'], Object.keys(newTask)),
  create,
)

async function create(scene: Scene, drawn: Body) {
  const operation = 'createTask'
  const given = bodyFor(scene, drawn)
  const request = { operation, method: 'POST', path: '/api/tasks', body: given }
  const answer = await call(scene, request)
  if (!answer) return
  if (given.missing.length > 0) return expect(answer, operation, 400, missing(given.missing))
  const task = newTaskOf(freshId(scene, answer), answer, given.values)
  expect(answer, operation, 201, taskOf(scene.me, task))
  scene.me.rows.tasks.set(task.id, task)
}

/** A new task with these values, and the defaults for all other fields. */
export function newTaskOf(
  id: string,
  answer: Answer,
  { labelIds = [], ...values }: Filled['values'],
): Task {
  const createdAt = now(answer)
  return {
    id,
    spaceId: null,
    projectId: null,
    parentTaskId: null,
    schedulePreferenceId: null,
    title: '',
    description: '',
    status: 'todo',
    priority: 'none',
    dueAt: null,
    startAfter: null,
    completedAt: values.status === 'completed' ? now(answer) : null,
    archivedAt: values.status === 'archived' ? now(answer) : null,
    estimateMinutes: null,
    actualMinutes: null,
    minSessionMinutes: 5,
    maxSessionMinutes: 60,
    cooldownMinutes: 5,
    autoSchedule: true,
    autoSplit: true,
    locked: false,
    sortOrder: 0,
    createdAt,
    updatedAt: createdAt,
    labelIds: new Set(labelIds),
    documentIds: new Set(),
    ...values,
  }
}
