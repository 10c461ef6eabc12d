import pg from 'pg'
import { newKey } from '../src/platform/auth/api-key-format.ts'
import { newId } from '../src/platform/db/new-id.ts'
import { migrate } from '../src/platform/db/migrate.ts'

const tasksPerUser = 50
/** Several writers, because the writes of one user wait for each other. */
const writerCount = 20
/** So many that no key is used twice within the second for which the API caches it. */
const keysOfReader = 3000

export type Seeded = { id: string; keys: string[]; taskIds: string[] }

export type World = Awaited<ReturnType<typeof seed>>

/** Creates 200 users with 50 tasks each and one with 10,000. A task has two labels, three items and three blocks. */
export async function seed(url: string) {
  await migrate(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const reader = newId()
  const writers = Array.from({ length: writerCount }, () => newId())
  try {
    await client.query(`
      insert into users (id, email, display_name)
      select coalesce(given.id, gen_random_uuid()), n || '@example.com', 'Someone'
        from generate_series(1, 201) n
        left join unnest('{${[reader, ...writers].join()}}'::uuid[]) with ordinality given (id, n) using (n);
      insert into spaces (user_id, id, name, is_default)
      select id, gen_random_uuid(), 'Personal', true from users;
      insert into projects (user_id, id, name)
      select id, gen_random_uuid(), 'Project' from users;
      insert into labels (user_id, id, name)
      select id, gen_random_uuid(), 'label ' || n from users, generate_series(1, 5) n;
      insert into tasks (user_id, id, title, description, status, priority, due_at, space_id, project_id,
                         estimate_minutes)
      select users.id, gen_random_uuid(), 'Task number ' || n, 'What there is to say about it',
             (array['backlog', 'todo', 'in_progress'])[1 + n % 3]::task_status,
             (enum_range(null::task_priority))[1 + n % 5], now() + n * interval '1 hour',
             spaces.id, projects.id, 60
        from users
        join spaces on spaces.user_id = users.id
        join projects on projects.user_id = users.id,
             generate_series(1, case users.id when '${reader}' then 10000 else ${tasksPerUser} end) n;
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
    const seeded: Seeded[] = []
    for (const id of [reader, ...writers]) {
      const keys = Array.from({ length: id === reader ? keysOfReader : 1 }, () => newKey(id))
      await client.query(
        `insert into api_keys (user_id, id, name, prefix, hash, scopes)
         select $1, gen_random_uuid(), 'bench', prefix, hash, '{read,write,planner}'
           from unnest($2::text[], $3::bytea[]) given (prefix, hash)`,
        [id, keys.map(({ prefix }) => prefix), keys.map(({ hash }) => hash)],
      )
      const { rows } = await client.query<{ id: string }>(
        `select id from tasks where user_id = $1 limit ${tasksPerUser}`,
        [id],
      )
      seeded.push({ id, keys: keys.map(({ key }) => key), taskIds: rows.map((row) => row.id) })
    }
    await client.query('vacuum analyze')
    return { reader: seeded[0]!, writers: seeded.slice(1) }
  } finally {
    await client.end()
  }
}
