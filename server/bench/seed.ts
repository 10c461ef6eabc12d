import pg from 'pg'
import { newKey } from '../src/auth/key-format.ts'
import { newId } from '../src/db/new-id.ts'
import { migrate } from '../src/db/migrate.ts'

export const tasksOfWriter = 50

/** SQL for the id of a user's nth task. */
export const taskId = (n: string) =>
  `('00000000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`

export type World = Awaited<ReturnType<typeof seed>>

/** 200 users with 50 tasks each and one with 10,000; two labels, three items and blocks a task. */
export async function seed(url: string) {
  await migrate(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const reader = newId()
  const writer = newId()
  const key = newKey(reader)
  const writerKey = newKey(writer)
  try {
    await client.query(`
      insert into users (id, email, display_name)
      select case n when 0 then '${reader}' when 1 then '${writer}' else gen_random_uuid() end,
             n || '@example.com', 'Someone'
        from generate_series(0, 200) n;
      insert into spaces (user_id, id, name, is_default)
      select id, gen_random_uuid(), 'Personal', true from users;
      insert into projects (user_id, id, name)
      select id, gen_random_uuid(), 'Project' from users;
      insert into labels (user_id, id, name)
      select id, gen_random_uuid(), 'label ' || n from users, generate_series(1, 5) n;
      insert into tasks (user_id, id, title, description, status, priority, due_at, space_id, project_id,
                         estimate_minutes)
      select users.id, ${taskId('n')}, 'Task number ' || n, 'What there is to say about it',
             (array['backlog', 'todo', 'in_progress'])[1 + n % 3]::task_status,
             (enum_range(null::task_priority))[1 + n % 5], now() + n * interval '1 hour',
             spaces.id, projects.id, 60
        from users
        join spaces on spaces.user_id = users.id
        join projects on projects.user_id = users.id,
             generate_series(1, case users.id when '${reader}' then 10000 else ${tasksOfWriter} end) n;
      insert into task_labels (user_id, task_id, label_id)
      select tasks.user_id, tasks.id, labels.id
        from tasks join labels on labels.user_id = tasks.user_id and labels.name in ('label 1', 'label 2');
      insert into checklist_items (user_id, id, task_id, title)
      select user_id, gen_random_uuid(), id, 'Step ' || n from tasks, generate_series(1, 3) n;
      insert into time_blocks (user_id, id, task_id, title, source, start_at, end_at, status, cancelled_at)
      select user_id, gen_random_uuid(), id, title, 'auto', due_at - n * interval '2 hours',
             due_at - n * interval '1 hour', case n when 3 then 'cancelled' else 'scheduled' end::block_status,
             case n when 3 then now() end
        from tasks, generate_series(1, 3) n`)
    for (const [userId, { prefix, hash }] of [
      [reader, key],
      [writer, writerKey],
    ] as const) {
      await client.query(
        `insert into api_keys (user_id, id, name, prefix, hash, scopes)
         values ($1, $2, 'bench', $3, $4, '{read,write,planner}')`,
        [userId, newId(), prefix, hash],
      )
    }
    await client.query('vacuum analyze')
    const { rows } = await client.query<{ id: string; user_id: string }>(
      `(select id, user_id from tasks where user_id = $1 order by id limit ${tasksOfWriter})
       union all (select id, user_id from tasks where user_id = $2 order by id limit ${tasksOfWriter})`,
      [reader, writer],
    )
    const of = (user: string) => rows.filter((row) => row.user_id === user).map(({ id }) => id)
    return {
      reader: { id: reader, key: key.key, taskIds: of(reader) },
      writer: { id: writer, key: writerKey.key, taskIds: of(writer) },
    }
  } finally {
    await client.end()
  }
}
