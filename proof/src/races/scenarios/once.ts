// Operations that must take effect only once, requested twice concurrently.
import { createHmac, randomUUID } from 'node:crypto'
import { newId } from '../../../../server/src/platform/db/new-id.ts'
import { newTask, patch, post, type Scenario, type Stage } from '../scenario.ts'
import { type Call, monday } from '../world.ts'

const soon = new Date(monday.getTime() + 5 * 3_600_000).toISOString()
const summary = post('notifications', { type: 'morning_summary' })
const alert = post('notifications', { type: 'at_risk' })

const blockOf = (taskId: string) => ({
  taskId,
  startAt: new Date(monday.getTime() + 3_600_000).toISOString(),
  endAt: new Date(monday.getTime() + 7_200_000).toISOString(),
})

/** A session as Better Auth creates it, without the slow password hash. */
async function signIn({ sql }: Stage, id: string) {
  const token = randomUUID()
  await sql.query(
    `insert into auth.users (id, name, email) values ($1, 'Someone', $2)
     on conflict do nothing`,
    [id, `${id}@new.example.com`],
  )
  await sql.query(
    `insert into auth.sessions (id, token, user_id, expires_at) values ($1, encode(sha256($2::bytea), 'hex'), $3, $4)`,
    [newId(), token, id, new Date(monday.getTime() + 86_400_000)],
  )
  const { rows } = await sql.query<{ secret: string }>('select secret from auth.instance')
  const signature = createHmac('sha256', rows[0]?.secret ?? '')
    .update(token)
    .digest('base64')
  return `daywright.session_token=${encodeURIComponent(`${token}.${signature}`)}`
}

export const once: Scenario[] = [
  {
    name: 'morning summary × morning summary',
    async prepare(stage) {
      await newTask(stage, { dueAt: soon })
      return [summary, summary]
    },
  },
  {
    name: 'morning summary × a block by hand',
    async prepare(stage) {
      const { id } = await newTask(stage, { dueAt: soon })
      return [summary, post('time-blocks', blockOf(id))]
    },
  },
  {
    name: 'morning summary × planner',
    async prepare(stage) {
      await newTask(stage, { dueAt: soon })
      return [summary, post('planner')]
    },
  },
  {
    name: 'morning summary × another timezone',
    async prepare(stage) {
      await newTask(stage, { dueAt: soon })
      return [summary, patch('user', { timezone: 'Pacific/Auckland' }), summary]
    },
  },
  {
    name: 'at-risk alert × at-risk alert',
    async prepare(stage) {
      await newTask(stage, { dueAt: soon })
      return [alert, alert]
    },
  },
  {
    name: 'at-risk alert × morning summary × all read',
    async prepare(stage) {
      await newTask(stage, { dueAt: soon })
      return [alert, summary, patch('notifications', {})]
    },
  },
  {
    name: 'at-risk alert × another task at risk × a block by hand',
    async prepare(stage) {
      const { id } = await newTask(stage, { dueAt: soon })
      return [
        alert,
        post('tasks', { title: 'Soon', dueAt: soon }),
        post('time-blocks', blockOf(id)),
      ]
    },
  },
  {
    name: 'the same Idempotency-Key three times',
    async prepare() {
      const create = post('tasks', { title: 'Once' }, 'same')
      return [create, create, create]
    },
  },
  {
    name: 'one Idempotency-Key, two requests',
    async prepare() {
      return [post('labels', { name: 'one' }, 'same'), post('labels', { name: 'other' }, 'same')]
    },
  },
  {
    name: 'the same Idempotency-Key for what may be refused',
    async prepare(stage) {
      const other = await stage.post('/api/labels', { name: 'home' })
      const create = post('labels', { name: 'home' }, 'same')
      return [create, create, patch(`labels/${other.id}`, { name: 'house' })]
    },
  },
  {
    name: 'the same Idempotency-Key for a run of the planner',
    async prepare(stage) {
      await newTask(stage)
      const plan = post('planner', undefined, 'same')
      return [plan, plan, post('planner')]
    },
  },
  {
    name: 'first use of an account × first use: one profile, one default space',
    async prepare(stage) {
      const { me, sql } = stage
      await sql.query('delete from users where id = $1', [me.id])
      await sql.query('update auth.instance set first_user_id = null')
      const look: Call = { method: 'GET', url: '/api/user', cookie: await signIn(stage, me.id) }
      return [look, look, { ...look, url: '/api/planner' }]
    },
  },
  {
    name: 'first use of two accounts: one admin',
    async prepare(stage) {
      const { me, sql } = stage
      await sql.query('delete from users where id = $1', [me.id])
      await sql.query('update auth.instance set first_user_id = null')
      const look = { method: 'GET', url: '/api/user' } as const
      return [
        { ...look, cookie: await signIn(stage, me.id) },
        { ...look, cookie: await signIn(stage, newId()) },
      ]
    },
  },
  {
    name: 'the 25th API key × the 25th API key',
    async prepare(stage) {
      const { me, sql } = stage
      await sql.query(
        `insert into api_keys (user_id, id, name, prefix, hash, scopes, created_at)
         select $1, gen_random_uuid(), 'old', '', number::text::bytea, '{read}', '2020-01-01'
           from generate_series(1, 23) number`,
        [me.id],
      )
      const cookie = await signIn(stage, me.id)
      const issue = { ...post('api-keys', { name: 'new' }), cookie }
      return [issue, issue]
    },
  },
]
