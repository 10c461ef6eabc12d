// Tenant isolation: no user can detect another. Grace sends every request once in a world without Ada and once in
// a world where Ada has the same records: the answers and the written rows are equal, and nothing of Ada's is
// changed or even locked.
import pg from 'pg'
import { statements } from '../../../server/src/platform/db/statement.ts'
import { explain, straysOf } from '../../../server/test/explain.ts'
import { partitionedDatabase } from '../../../server/test/partitioned-database.ts'
import { copyDatabase, newDatabase } from '../kit/database.ts'
import type { Harness, Result, Trial } from '../kit/harness.ts'
import type { Document } from '../kit/operations.ts'
import { ada, adasMark, grace } from './ids.ts'
import { credentials, settleAda, settleGrace, settleGracesPast } from './people.ts'
import { probesOf } from './probes.ts'
import type { Ids, Probe } from './request.ts'
import { type Outcome, rehearse, type Removal } from './rehearsal.ts'
import { removals } from './removals.ts'

type Worlds = Awaited<ReturnType<typeof makeWorlds>>
let worlds: Promise<Worlds> | undefined

export const harness: Harness = {
  name: 'tenants',
  async prove(trial) {
    worlds ??= makeWorlds(trial.postgres)
    const made = await worlds
    const removal = trial.mutant && planted.get(trial.mutant.name)
    return removal ? lookFor(made, removal) : sweep(made, trial)
  },
  mutants: removals().map(({ name }) => ({ name, control: name })),
  mutantsInShort: 20,
  async leave() {
    await (await worlds)?.leave()
    return [
      `of ${planted.size} removals the sweep sees ${seen.sweep}, the plans ${seen.plans}`,
      `not in the plans: ${seen.notInPlans.join('; ') || 'none'}`,
    ]
  },
}

const planted = new Map(removals().map((removal) => [removal.name, removal]))

async function sweep(
  { alone, together, probes, expected, seenBy }: Worlds,
  trial: Trial,
): Promise<Result> {
  const findings: string[] = []
  const succeeded = new Set<string>()
  for (const [at, probe] of probes.entries()) {
    if (at % 500 === 0) trial.say(`  ${at} of ${probes.length}`)
    const [without, within] = await Promise.all([alone.run(probe), together.run(probe)])
    expected.set(probe, without)
    if (without.answer.startsWith('2')) succeeded.add(probe.operation)
    for (const name of without.statements) seenBy.set(name, [...(seenBy.get(name) ?? []), probe])
    findings.push(...differences(probe, without, within))
  }
  for (const { operation } of probes) {
    if (!succeeded.has(operation) && !needsServer.has(operation))
      findings.push(`${operation} never succeeds with one's own ids`)
    succeeded.add(operation)
  }
  for (const [name, text] of statements) {
    if (!text.includes('user_id') || seenBy.has(name) || ofEveryone.has(name)) continue
    findings.push(`no request comes to ${name}`)
  }
  return { tried: `${probes.length} requests`, findings }
}

/** Operations that need an external server; their statements are executed before they fail. */
const needsServer = new Set([
  'POST /api/calendars/preview',
  'POST /api/calendars/discover',
  'POST /api/connected-accounts/authorize',
  'POST /api/connected-accounts',
  'GET /api/connected-accounts/{id}/calendars',
])

/** Statements across users: whose streams have new events, and which users are due. */
const ofEveryone = new Set(['events.heads', 'worker.lease-due-users'])

/** How many removals each check detects: the sweep must detect all; query plans of a partitioned schema need not. */
const seen = { sweep: 0, plans: 0, notInPlans: [] as string[] }

async function lookFor(made: Worlds, removal: Removal & { name: string }): Promise<Result> {
  const findings = await otherAnswers(made, removal)
  const strays = straysOf(await explain(made.partitioned, removal.text))
  if (findings.length > 0) seen.sweep += 1
  if (strays.length > 0) seen.plans += 1
  else seen.notInPlans.push(removal.name)
  return { tried: 'its requests', findings }
}

async function otherAnswers({ together, expected, seenBy }: Worlds, removal: Removal) {
  if (removal.statement.startsWith('auth.')) await together.forget()
  for (const probe of seenBy.get(removal.statement) ?? []) {
    const without = expected.get(probe)
    if (!without) throw new Error(`${probe.name} was not swept`)
    const found = differences(probe, without, await together.run(probe, removal))
    if (found.length > 0) return found
  }
  return []
}

function differences({ name }: Probe, without: Outcome, within: Outcome) {
  const found: string[] = []
  if (within.answer.includes(adasMark)) found.push('it shows what is Ada’s')
  if (within.answer !== without.answer) {
    found.push(`${short(without.answer)} becomes ${short(within.answer)}`)
  }
  if (within.written !== without.written) found.push('it writes something else')
  if (within.touchesAda) found.push('it changes or locks what is Ada’s')
  return found.map((what) => `${name}: ${what}`)
}

const short = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

async function makeWorlds(postgres: string) {
  const first = await newDatabase(postgres)
  await within(first.url, settleGrace)
  const maker = await rehearse(first.url)
  await maker.perform({
    name: 'preview',
    operation: '',
    method: 'POST',
    url: '/api/planner/preview',
    headers: credentials.session,
  })
  const document = JSON.parse(await maker.openApi()) as Document
  await maker.leave()
  await within(first.url, settleGracesPast)
  const second = await copyDatabase(postgres, first.url)
  await within(second.url, settleAda)
  const ids = await within(second.url, idsOf)
  const known = new Set([...ids.values()].flatMap(({ own, adas }) => [...own, ...adas]))
  const alone = await rehearse(first.url, known)
  const together = await rehearse(second.url, known)
  let closePartitioned = async () => {}
  const partitioned = await partitionedDatabase(postgres, (close) => (closePartitioned = close))
  return {
    alone,
    together,
    partitioned,
    probes: probesOf(document, ids),
    expected: new Map<Probe, Outcome>(),
    seenBy: new Map<string, Probe[]>(),
    async leave() {
      await Promise.all([alone.leave(), together.leave(), closePartitioned()])
      await Promise.all([first.drop(), second.drop()])
    },
  }
}

async function within<Result>(url: string, work: (client: pg.Client) => Promise<Result>) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function idsOf(client: pg.Client): Promise<Ids> {
  const { rows: tables } = await client.query<{ name: string; key: string }>(
    `select table_name as name, min(column_name::text) filter (where column_name = 'user_id') as key
       from information_schema.columns
      where table_schema = 'public' and column_name in ('id', 'user_id')
      group by table_name having bool_or(column_name = 'id')
      order by 1`,
  )
  const ids: Ids = new Map([['events', await eventsIn(client)]])
  for (const { name, key } of tables) {
    const { rows } = await client.query<{ own: string[]; adas: string[] }>(
      `select coalesce(array_agg(distinct id) filter (where ${key ?? 'id'} = '${grace}'), '{}') as own,
              coalesce(array_agg(distinct id) filter (where ${key ?? 'id'} = '${ada}'), '{}') as adas
         from ${name}`,
    )
    const { own = [], adas = [] } = rows[0] ?? {}
    ids.set(name, {
      own: own.length > 24 ? [...own.slice(0, 8), ...own.slice(-2)] : own,
      adas: adas.filter((id) => !own.includes(id)),
    })
  }
  return ids
}

async function eventsIn(client: pg.Client) {
  const { rows } = await client.query<{ user_id: string; id: string }>(
    `select user_id, seq || '-' || part as id from events order by seq, part`,
  )
  const own = rows.flatMap((row) => (row.user_id === grace ? [row.id] : []))
  const adas = rows.flatMap((row) => (row.user_id === ada ? [row.id] : []))
  return { own, adas: adas.filter((id) => !own.includes(id)) }
}
