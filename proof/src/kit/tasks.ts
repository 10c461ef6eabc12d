import type pg from 'pg'
import { newId } from '../../../server/src/platform/db/new-id.ts'
import { newPerson, type Person } from './people.ts'

export type Worker = Person & { taskIds: string[] }

/** Users with tasks to read, change and plan, created by SQL. */
export async function newWorkers(db: pg.Pool | pg.Client, people: number, tasksEach: number) {
  const workers: Worker[] = []
  for (let count = 0; count < people; count += 1) {
    const person = await newPerson(db)
    const taskIds = Array.from({ length: tasksEach }, newId)
    await db.query(
      `insert into tasks (user_id, id, title, description, status, priority, due_at, space_id,
                          estimate_minutes)
       select $1, task.id, 'Task number ' || n, 'What there is to say about it',
              (array['backlog', 'todo', 'in_progress'])[1 + n % 3]::task_status,
              (enum_range(null::task_priority))[1 + n % 5], now() + n * interval '3 hours', $3, 60
         from unnest($2::uuid[]) with ordinality task (id, n)`,
      [person.id, taskIds, person.spaceId],
    )
    workers.push({ ...person, taskIds })
  }
  return workers
}
