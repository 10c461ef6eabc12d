// The final comparison of everything: through the API and by SQL, row by row.
import { difference, Divergence } from './compare.ts'
import { changesSince, compareFollowed, read } from './follow.ts'
import { rowsOf, tables } from './rows.ts'
import {
  fullDocument,
  fullProject,
  fullTask,
  listedBlocks,
  listedDocuments,
  listedLabels,
  listedNotifications,
  listedPreferences,
  listedProjects,
  listedRuns,
  listedSpaces,
  listedCalendars,
  listedRecurrences,
  listedWebhooks,
  taskPage,
} from './show.ts'
import { cookieOf, type Person, type World } from './world.ts'

const day = 86_400_000

export async function readBack(world: World) {
  await Promise.all([readRows(world), ...world.people.map((person) => readByApi(world, person))])
}

async function readByApi(world: World, me: Person) {
  const headers = credentialsOf(me)
  if (!headers) return
  const all = () => true
  const { rows } = me
  const from = new Date(world.began - 31 * day).toISOString()
  const to = new Date(world.began + 31 * day).toISOString()
  const views: [string, () => unknown][] = [
    ['/api/spaces', () => listedSpaces(me)],
    ['/api/labels', () => listedLabels(me)],
    ['/api/projects', () => listedProjects(me, all)],
    ['/api/documents', () => listedDocuments(me, all)],
    ['/api/schedule-preferences', () => listedPreferences(me)],
    ['/api/notifications', () => listedNotifications(me)],
    ['/api/planner/runs', () => listedRuns(me)],
    ['/api/webhooks', () => listedWebhooks(me)],
    ['/api/calendars', () => listedCalendars(me)],
    ['/api/recurrences', () => listedRecurrences(me)],
    ['/api/settings', () => me.settings],
    ['/api/tasks?includeCompleted=true&limit=100', () => taskPage(me, all, 1, 100)],
    [
      `/api/time-blocks?from=${from}&to=${to}`,
      () => listedBlocks(me, world.began - 31 * day, world.began + 31 * day),
    ],
    ...[...rows.tasks.values()].map((task): [string, () => unknown] => [
      `/api/tasks/${task.id}`,
      () => fullTask(me, task),
    ]),
    ...[...rows.projects.values()].map((project): [string, () => unknown] => [
      `/api/projects/${project.id}`,
      () => fullProject(me, project),
    ]),
    ...[...rows.documents.values()].map((document): [string, () => unknown] => [
      `/api/documents/${document.id}`,
      () => fullDocument(me, document),
    ]),
  ]
  for (let page = ''; page !== 'the last';) {
    const path = changesSince(me)
    const answer = await world.client.send('GET', path, headers)
    if (answer.status !== 200) throw new Divergence(`in the end, GET ${path}: ${answer.status}`)
    page = read(me, answer) ? 'one of many' : 'the last'
  }
  compareFollowed(me)
  await Promise.all(
    views.map(async ([path, view]) => {
      const answer = await world.client.send('GET', path, headers)
      const found = answer.status === 200 ? difference(view(), answer.body) : `${answer.status}`
      if (found) throw new Divergence(`in the end, GET ${path} of ${me.name}: ${found}`)
    }),
  )
}

function credentialsOf(me: Person): Record<string, string> | undefined {
  if (me.isDisabled) return undefined
  const { key } = me.began
  const isLive = [...me.rows.keys.values()].some(({ text }) => text === key)
  if (isLive) return { authorization: `Bearer ${key}` }
  const [session] = me.sessions
  return session && { cookie: cookieOf(session) }
}

const everything = `select ${Object.entries(tables)
  .map(([table, order]) => {
    const owner = table === 'users' ? 'id' : 'user_id'
    const columns =
      table === 'planner_runs'
        ? `json_build_object('id', id, 'state', state, 'plan', plan is not null)`
        : `to_json(${table})`
    return `(select coalesce(json_agg(${columns} order by ${order}), '[]')
               from ${table} where ${owner} = $1) as ${table}`
  })
  .join(', ')}`

async function readRows({ db, people }: World) {
  for (const me of people) {
    const { rows } = await db.query({ name: 'everything', text: everything, values: [me.id] })
    const actual = rows[0] as Record<string, unknown>
    for (const [table, expected] of Object.entries(rowsOf(me))) {
      const found = difference(expected, actual[table])
      if (found) throw new Divergence(`in the end, ${table} of ${me.name}: ${found}`)
    }
  }
}
