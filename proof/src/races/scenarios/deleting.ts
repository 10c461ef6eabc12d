// A record is deleted while a reference to it is created.
import { newTask, patch, post, remove, type Scenario, type Stage } from '../scenario.ts'

const space = (stage: Stage): Promise<{ id: string }> => stage.post('/api/spaces', { name: 'Work' })

export const deleting: Scenario[] = [
  {
    name: 'delete space × task in it × rename',
    async prepare(stage) {
      const { id } = await space(stage)
      return [
        remove(`spaces/${id}`),
        post('tasks', { title: 'In it', spaceId: id }),
        patch(`spaces/${id}`, { name: 'Home' }),
      ]
    },
  },
  {
    name: 'delete space × project in it × document in it',
    async prepare(stage) {
      const { id } = await space(stage)
      return [
        remove(`spaces/${id}`),
        post('projects', { name: 'In it', spaceId: id }),
        post('documents', { title: 'In it', spaceId: id }),
      ]
    },
  },
  {
    name: 'delete space × task moved in × task moved out',
    async prepare(stage) {
      const { id } = await space(stage)
      const outside = await newTask(stage)
      const inside = await newTask(stage, { spaceId: id })
      return [
        remove(`spaces/${id}`),
        patch(`tasks/${outside.id}`, { spaceId: id }),
        patch(`tasks/${inside.id}`, { spaceId: stage.me.spaceId }),
      ]
    },
  },
  {
    name: 'delete project × task in it × document moved in',
    async prepare(stage) {
      const { id } = await stage.post('/api/projects', { name: 'Book' })
      const document = await stage.post('/api/documents', { title: 'Notes' })
      return [
        remove(`projects/${id}?permanent=true`),
        post('tasks', { title: 'In it', projectId: id }),
        patch(`documents/${document.id}`, { projectId: id }),
      ]
    },
  },
  {
    name: 'delete project × archive project × edit',
    async prepare(stage) {
      const { id } = await stage.post('/api/projects', { name: 'Book', spaceId: stage.me.spaceId })
      return [
        remove(`projects/${id}?permanent=true`),
        remove(`projects/${id}`),
        patch(`projects/${id}`, { name: 'Essay', status: 'planned' }),
      ]
    },
  },
  {
    name: 'delete task × checklist item × subtask',
    async prepare(stage) {
      const { id } = await newTask(stage)
      return [
        remove(`tasks/${id}?permanent=true`),
        post('checklist-items', { taskId: id, title: 'One' }),
        post('tasks', { title: 'Part', parentTaskId: id }),
      ]
    },
  },
  {
    name: 'delete task × checklist item ticked',
    async prepare(stage) {
      const { id } = await newTask(stage)
      const item = await stage.post('/api/checklist-items', { taskId: id, title: 'One' })
      return [
        remove(`tasks/${id}?permanent=true`),
        patch(`checklist-items/${item.id}`, { completed: true }),
      ]
    },
  },
  {
    name: 'delete task × block for it × edit of it',
    async prepare(stage) {
      const { id } = await newTask(stage)
      const times = { startAt: '2030-01-07T09:00:00Z', endAt: '2030-01-07T10:00:00Z' }
      return [
        remove(`tasks/${id}?permanent=true`),
        post('time-blocks', { taskId: id, ...times }),
        patch(`tasks/${id}`, { title: 'Read' }),
      ]
    },
  },
  {
    name: 'delete parent × delete subtask × edit of the subtask',
    async prepare(stage) {
      const parent = await newTask(stage)
      const child = await newTask(stage, { parentTaskId: parent.id })
      return [
        remove(`tasks/${parent.id}?permanent=true`),
        remove(`tasks/${child.id}?permanent=true`),
        patch(`tasks/${child.id}`, { title: 'Own' }),
      ]
    },
  },
  {
    name: 'delete task × dependency on it × dependency of it',
    async prepare(stage) {
      const one = await newTask(stage)
      const other = await newTask(stage)
      return [
        remove(`tasks/${one.id}?permanent=true`),
        post(`tasks/${other.id}/dependencies`, { dependsOnTaskId: one.id }),
        post(`tasks/${one.id}/dependencies`, { dependsOnTaskId: other.id }),
      ]
    },
  },
  {
    name: 'delete label × task with it × rename',
    async prepare(stage) {
      const { id } = await stage.post('/api/labels', { name: 'home' })
      return [
        remove(`labels/${id}`),
        post('tasks', { title: 'With it', labelIds: [id] }),
        patch(`labels/${id}`, { name: 'house' }),
      ]
    },
  },
  {
    name: 'delete label × labels of a task replaced',
    async prepare(stage) {
      const one = await stage.post('/api/labels', { name: 'one' })
      const other = await stage.post('/api/labels', { name: 'other' })
      const { id } = await newTask(stage, { labelIds: [one.id] })
      return [remove(`labels/${other.id}`), patch(`tasks/${id}`, { labelIds: [other.id] })]
    },
  },
  {
    name: 'delete document × link to a task × delete task',
    async prepare(stage) {
      const { id } = await newTask(stage)
      const document = await stage.post('/api/documents', { title: 'Notes' })
      return [
        remove(`documents/${document.id}`),
        post(`tasks/${id}/documents`, { documentId: document.id }),
        remove(`tasks/${id}?permanent=true`),
      ]
    },
  },
  {
    name: 'delete preference × task that uses it × edit that uses it',
    async prepare(stage) {
      const windows = [{ day: [1], start: '09:00', end: '12:00' }]
      const { id } = await stage.post('/api/schedule-preferences', { name: 'Early', windows })
      const task = await newTask(stage)
      return [
        remove(`schedule-preferences/${id}`),
        post('tasks', { title: 'Early', schedulePreferenceId: id }),
        patch(`tasks/${task.id}`, { schedulePreferenceId: id }),
      ]
    },
  },
]
