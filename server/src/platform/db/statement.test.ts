import '../../app.ts' // registers the statements of every feature
import '../../features/account/account-command.ts'
import '../../features/account/rotate-secret.ts'
import '../../jobs/worker.ts'
import { describe, expect, it } from '../../../test/it.ts'
import { explain, straysOf } from '../../../test/explain.ts'
import { partitionedDatabase } from '../../../test/partitioned-database.ts'
import { parametersOf, statements } from './statement.ts'

/** Statements without a user: they look up credentials or due users, or belong to admins. */
const crossUsers = new Set([
  'auth.session-owner',
  'admin.list-users',
  'admin.list-quarantine',
  'events.heads',
  'worker.lease-due-users',
])

/** The types that PostgreSQL infers; an enum counts as text. */
const typesOfChecked = `
  select case when typtype = 'e' then 'text' else parameter.type::text end as type
    from pg_prepared_statements,
         unnest(parameter_types) with ordinality parameter (type, place)
    join pg_type on pg_type.oid = parameter.type
   where name = 'checked'
   order by parameter.place`

const partitioned = it.extend('client', { scope: 'file' }, ({ url }, { onCleanup }) =>
  partitionedDatabase(url, onCleanup),
)

describe('every statement', () => {
  for (const [name, text] of statements) {
    it(`${name} is valid on the migrated schema, with parameters of the declared types`, async ({
      db,
    }) => {
      const client = await db.pool.connect()
      try {
        await client.query(`prepare checked as ${text}`)
        const { rows } = await client.query<{ type: string }>(typesOfChecked)
        await client.query('deallocate checked')

        expect(rows.map(({ type }) => type)).toEqual(
          parametersOf.get(name)?.map((parameter) => parameter.type) ?? expect.anything(),
        )
      } finally {
        client.release()
      }
    })

    if (crossUsers.has(name)) continue
    partitioned(`${name} touches one partition of each table`, async ({ client }) => {
      const plan = await explain(client, text)

      expect(straysOf(plan)).toEqual([])
    })
  }
})

describe('the JSON of a record', () => {
  const timesBuilt = (text: string) => text.match(/to_jsonb?\(row\b/gi)?.length ?? 0

  // PostgreSQL copies the expressions of a sub-select that it inlines to every place that uses them.
  it.for([...statements])('is built once by %s', async ([, text], { db }) => {
    const client = await db.pool.connect()
    try {
      const plan = await explain(client, text)

      const inPlan = plan.map((node) => timesBuilt(JSON.stringify({ ...node, Plans: [] })))
      expect(inPlan.reduce((sum, times) => sum + times)).toBeLessThanOrEqual(timesBuilt(text))
    } finally {
      client.release()
    }
  })
})

describe('the check of partitions', () => {
  partitioned.for([
    [
      'a join that forgets the user',
      'select from tasks t join projects p on p.id = t.project_id where t.user_id = $1',
    ],
    [
      'a sub-select tied to the row, not to $1',
      'select (select count(*) from task_labels l where l.user_id = t.user_id) from tasks t where t.user_id = $1',
    ],
    ['no user at all', 'select from labels where name = $1'],
    ['an update by id alone', 'update tasks set title = $2 where id = $1'],
    [
      'a delete for another user',
      'with gone as (delete from labels where user_id = $1) delete from spaces where user_id = $2',
    ],
    ['an insert for another user', 'insert into labels (user_id, id, name) select $2, $1, $3'],
    [
      'a range of time that forgets the user',
      'select from time_blocks where $1::uuid is not null and start_at >= $2 and start_at < $3',
    ],
    [
      'an insert for another user, from a sub-select',
      'insert into labels (user_id, id, name) select $2, $1, $3 from tasks where user_id = $1 having count(*) > 0',
    ],
  ] as const)('detects %s', async ([, text], { client }) => {
    expect(straysOf(await explain(client, text))).not.toEqual([])
  })
})

describe('SQL that a cluster does not support', () => {
  const forbidden = [
    /clock_timestamp|random\(\)|gen_random_uuid/, // volatile in an update
    /do update\s+set((?!returning)[^;])*(now\(\)|current_timestamp)/,
    /\bmerge into\b/,
    /pg_advisory|\bnotify\b|\blisten\b/,
    /values \([^)]*\(select/,
  ]

  it.for([...statements])('is not used by %s', ([, text]) => {
    for (const pattern of forbidden) expect(text).not.toMatch(pattern)
  })
})

// The bundled PostgreSQL accepts a subquery without an alias; PostgreSQL 15, which we support, does not.
describe('a subquery in FROM', () => {
  it.for([...statements])('has an alias: %s', ([, text]) => {
    expect(withoutAlias(text)).toEqual([])
  })
})

/** The text after each subquery in FROM that has no alias. */
function withoutAlias(text: string) {
  return [...text.matchAll(/\b(?:from|join|lateral)\s*\((?=\s*(?:select|with|values)\b)/g)]
    .map(({ 0: opening, index }) => {
      let depth = 1
      let at = index + opening.length
      for (; depth > 0; at += 1) depth += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0
      return text.slice(at).trimStart().slice(0, 20)
    })
    .filter((rest) => !/^(?!(?:where|join|left|order|group|on|union|limit|for)\b)[a-z_]/.test(rest))
}
