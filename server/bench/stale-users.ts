import pg from 'pg'
import { migrate } from '../src/platform/db/migrate.ts'

/** Creates users with automatic planning, `tasks` tasks each and a stale plan. Nothing else is due today. */
export async function seedStaleUsers(url: string, users: number, tasks: number) {
  await migrate(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`
      set synchronous_commit = off;
      insert into users (id, email, display_name, timezone)
      select gen_random_uuid(), n || '@example.com', 'Someone', 'UTC'
        from generate_series(1, ${users}) n;
      insert into spaces (user_id, id, name, is_default)
      select id, gen_random_uuid(), 'Personal', true from users;
      insert into tasks (user_id, id, title, status, priority, due_at, space_id, estimate_minutes)
      select users.id, gen_random_uuid(), 'Task number ' || n, 'todo',
             (enum_range(null::task_priority))[1 + n % 5], now() + (2 + n) * interval '1 day',
             spaces.id, 30 + 15 * (n % 4)
        from users join spaces on spaces.user_id = users.id, generate_series(1, ${tasks}) n;
      insert into user_settings (user_id) select id from users;
      insert into user_state (user_id, automatic, stale_since, due_at, planned_on, trimmed_on)
      select id, true, now() - interval '1 minute', now(), current_date + 1, current_date + 1
        from users`)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
