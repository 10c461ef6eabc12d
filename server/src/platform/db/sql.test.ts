import { describe, expect, it } from '../../../test/it.ts'
import { many, object, one } from './fragments.ts'
import {
  actor,
  bigint,
  integer,
  join,
  json,
  jsonByColumn,
  limits,
  numberParameters,
  raw,
  sql,
  text,
  timestamp,
  userId,
  uuid,
} from './sql.ts'
import { deleteReturning, execute, queryJson, queryJsonOrNone, queryRows } from './statement.ts'

const numbered = (...given: Parameters<typeof numberParameters>) => {
  const { text, parameters } = numberParameters(...given)
  return [text, ...parameters.map(({ name }) => name)]
}

describe('sql', () => {
  it('numbers the parameters: the user first, those of the Db last, each once', () => {
    expect(
      numbered(sql`${limits} ${text('name')} ${actor} ${uuid('id')} ${userId} ${text('name')}`),
    ).toEqual(['$5 $2 $4 $3 $1 $2', 'userId', 'name', 'id', 'actor', 'limits'])
  })

  it('numbers from $1 where there is no user', () => {
    expect(numbered(sql`select ${text('name')}`)).toEqual(['select $1', 'name'])
  })

  it('accepts fragments as values', () => {
    const ofUser = sql`from labels where user_id = ${userId}`
    const named = sql`name = ${text('name')}`

    expect(
      numbered(sql`select ${raw('id')} ${ofUser} and ${join([named, named], ' or ')}`),
    ).toEqual([
      'select id from labels where user_id = $1 and name = $2 or name = $2',
      'userId',
      'name',
    ])
  })

  it('builds JSON with the parameters of its fields', () => {
    const fields = { id: 'label.id', name: sql`${text('name')}` }

    expect(numbered(object(fields))).toEqual([
      `json_build_object('id', label.id, 'name', $1)`,
      'name',
    ])
    expect(numbered(one(fields))).toEqual([
      '(select to_json(row) from (select label.id as "id", $1 as "name") row)',
      'name',
    ])
    expect(numbered(many({ id: 'id' }, sql`from labels where user_id = ${userId}`))).toEqual([
      `(select coalesce(json_agg(row), '[]') from (select id as "id" from labels where user_id = $1) row)`,
      'userId',
    ])
  })

  it('refuses a parameter of two types', () => {
    expect(() => numberParameters(sql`${text('id')} ${uuid('id')}`)).toThrow(
      'The parameter id is text and uuid',
    )
  })
})

describe('a statement', () => {
  const echo = queryRows<Record<string, unknown>>()(
    'test.echo',
    sql`select ${text('name')}::text as name, ${integer.orNull('size')}::integer as size,
               ${timestamp('at')}::timestamptz as at, ${json('windows')}::jsonb as windows,
               ${jsonByColumn('changes')}::jsonb as changes`,
  )

  it('takes its parameters by name', async ({ db }) => {
    const at = new Date('2026-03-02T08:00:00Z')
    const given = { name: 'Home', at, windows: [1], changes: { dueAt: null, title: 'x' } }

    const [row] = await echo(db, { ...given, size: undefined })

    expect(row).toEqual({ ...given, size: null, changes: { due_at: null, title: 'x' } })
  })

  it('takes a time after the year 9999', async ({ db }) => {
    const at = new Date('+010000-01-01T00:00:00Z')

    const [row] = await echo(db, { name: '', size: 1, windows: [], changes: {}, at })

    expect(row).toMatchObject({ at })
  })

  it('gets the actor and the limits from the Db', async ({ db }) => {
    const who = queryRows<{ actor: object; tasks: number }>()(
      'test.who',
      sql`select ${actor}::jsonb as actor, (${limits}::jsonb ->> 'tasks')::bigint as tasks`,
    )

    const [row] = await who(db.as({ kind: 'person' }))

    expect(row).toEqual({ actor: { kind: 'person' }, tasks: expect.any(Number) })
  })

  it('returns JSON as text, or nothing', async ({ db }) => {
    const selected = sql`select ${object({ id: sql`${bigint('id')}::bigint` })}::text as json
                          where ${bigint('id')}::bigint > 0`
    const find = queryJsonOrNone<{ id: number }>()('test.find', selected)
    const get = queryJson<{ id: number }>()('test.get', selected)

    expect(await find(db, { id: 1 })).toBe('{"id" : 1}')
    expect(await find(db, { id: 0 })).toBeUndefined()
    await expect(get(db, { id: 0 })).rejects.toThrow('test.get returned no row')
  })

  it('tells whether it deleted something', async ({ db }) => {
    const remove = deleteReturning(
      'test.remove',
      sql`select from generate_series(1, ${integer('n')})`,
    )

    expect(await remove(db, { n: 1 })).toBe(true)
    expect(await remove(db, { n: 0 })).toBe(false)
  })

  it('has a unique name', () => {
    execute('test.twice', sql`select`)

    expect(() => execute('test.twice', sql`select`)).toThrow('Two statements are named test.twice')
  })

  it('takes exactly the parameters of its template, which the compiler checks', () => {
    const find = queryRows()('test.types', sql`select ${userId}, ${one({ n: integer('n') })}`)
    const none = execute('test.types-none', sql`select`)
    type Find = Parameters<typeof find>[1]
    const given: Find = { userId: '', n: 1 }
    // @ts-expect-error a parameter is missing
    const missing: Find = { userId: '' }
    // @ts-expect-error a parameter has another type
    const wrong: Find = { userId: '', n: '1' }
    // @ts-expect-error there is no such parameter
    const unknown: Find = { userId: '', n: 1, m: 1 }
    // @ts-expect-error text is not a fragment
    const text = () => sql`select ${'name'}`
    const noValues: Parameters<typeof none>['length'] = 1

    expect([given, missing, wrong, unknown, text, noValues]).toHaveLength(6)
  })
})
