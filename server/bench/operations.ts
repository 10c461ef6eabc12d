// The operations that the benchmark measures, each as a statement on PostgreSQL (the engine) and as an API request.
import { randomUUID } from 'node:crypto'
import { NewTask, TaskFilter } from '@daywright/contract'
import { listTasks } from '../src/features/tasks/task-list.queries.ts'
import { createTask, findTask, updateTask } from '../src/features/tasks/tasks.queries.ts'
import type { Db } from '../src/platform/db/database.ts'
import type { Seeded, World } from './seed.ts'

export type Request = {
  method: string
  path: string
  key: string
  body?: object
  idempotencyKey?: string
}

export type Operation = {
  name: string
  /** The lowest acceptable ratio: CPU time of PostgreSQL alone / CPU time of the API and its PostgreSQL. */
  goal?: number
  /** The number of executions per round. */
  count: number
  runOnEngine: (db: Db, world: World, n: number) => Promise<unknown>
  request: (world: World, n: number) => Request
}

const newTask = { title: 'Write the report', priority: 'high', estimateMinutes: 90 } as const
const changes = { title: 'Write it again', priority: 'low' } as const
const page = TaskFilter.parse({ limit: '50' })

const nth = <Item>(items: readonly Item[], n: number): Item => items[n % items.length]!
const taskOf = ({ taskIds }: Seeded, n: number) => nth(taskIds, n)

const pointRead = {
  count: 1500,
  runOnEngine: (db: Db, { reader }: World, n: number) =>
    findTask(db, reader.id, taskOf(reader, n), {}),
}
const list = {
  count: 150,
  runOnEngine: (db: Db, { reader }: World) => listTasks(db, reader.id, page),
}
const create = {
  count: 800,
  runOnEngine: (db: Db, { writers }: World, n: number) =>
    createTask(db, nth(writers, n).id, NewTask.parse(newTask), new Date()),
}

export const operations: Operation[] = [
  {
    name: 'list of 50',
    goal: 0.85,
    ...list,
    request: ({ reader }) => ({ method: 'GET', path: '/api/tasks?limit=50', key: reader.keys[0]! }),
  },
  {
    name: 'point read',
    goal: 0.45,
    ...pointRead,
    request: ({ reader }, n) => ({
      method: 'GET',
      path: `/api/tasks/${taskOf(reader, n)}`,
      key: reader.keys[0]!,
    }),
  },
  {
    name: 'create',
    goal: 0.5,
    ...create,
    request: ({ writers }, n) => ({
      method: 'POST',
      path: '/api/tasks',
      key: nth(writers, n).keys[0]!,
      body: newTask,
    }),
  },
  {
    name: 'update',
    goal: 0.45,
    count: 800,
    runOnEngine: (db, { writers }, n) => {
      const { id, taskIds } = nth(writers, n)
      return updateTask(db, id, nth(taskIds, n), changed(n), new Date())
    },
    request: ({ writers }, n) => {
      const { keys, taskIds } = nth(writers, n)
      return {
        method: 'PATCH',
        path: `/api/tasks/${nth(taskIds, n)}`,
        key: keys[0]!,
        body: changed(n),
      }
    },
  },
  {
    name: 'create with an Idempotency-Key',
    ...create,
    request: ({ writers }, n) => ({
      method: 'POST',
      path: '/api/tasks',
      key: nth(writers, n).keys[0]!,
      body: newTask,
      idempotencyKey: randomUUID(),
    }),
  },
  {
    name: 'point read, key not cached',
    ...pointRead,
    request: ({ reader }, n) => ({
      method: 'GET',
      path: `/api/tasks/${taskOf(reader, n)}`,
      key: nth(reader.keys, n),
    }),
  },
]

/** A different title each time: an edit that changes nothing would be cheaper. */
const changed = (n: number) => ({ ...changes, title: `${changes.title} ${n}` })
