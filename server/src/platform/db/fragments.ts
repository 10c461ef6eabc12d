// SQL that many statements share: JSON built of rows, and updates that keep an unchanged row.
import { type AnySql, type GivenTo, join, raw, type Sql, sql } from './sql.ts'

/** SQL without parameters, or a fragment. */
export type SqlText = string | AnySql

/** The fields of a JSON object: `{ id: 'label.id' }`. */
export type Fields = Record<string, SqlText>

type GivenToFields<Shown extends Fields> = GivenTo<Shown[keyof Shown]>

export const asSql = <Text extends SqlText>(text: Text) =>
  (typeof text === 'string' ? raw(text) : text) as Sql<GivenTo<Text>>

const list = <Shown extends Fields>(fields: Shown, each: (name: string, value: AnySql) => AnySql) =>
  join(
    Object.entries(fields).map(([name, value]) => each(name, asSql(value))),
    ', ',
  ) as Sql<GivenToFields<Shown>>

/** A JSON object of these fields. */
export const object = <Shown extends Fields>(fields: Shown) =>
  sql`json_build_object(${list(fields, (name, value) => sql`${raw(`'${name}'`)}, ${value}`)})`

// Converting a whole row to JSON is faster and smaller than json_build_object.
const select = <Shown extends Fields, From extends SqlText>(fields: Shown, from?: From) => {
  const columns = list(fields, (name, value) => sql`${value} as ${raw(`"${name}"`)}`)
  return sql`(select ${columns}${from ? sql` ${asSql(from)}` : raw('')})` as Sql<
    GivenToFields<Shown> & GivenTo<From>
  >
}

/** The JSON of one row, or null: `one({ id: 'space.id' }, sql`from spaces space where …`)`. */
export const one = <Shown extends Fields, From extends SqlText = ''>(fields: Shown, from?: From) =>
  sql`(select to_json(row) from ${select(fields, from)} row)`

/** Like `one`, as jsonb, the stored format. */
export const oneAsJsonb = <Shown extends Fields, From extends SqlText = ''>(
  fields: Shown,
  from?: From,
) => sql`(select to_jsonb(row) from ${select(fields, from)} row)`

/** The JSON array of the rows in their order; `[]` where there are none. */
export const many = <Shown extends Fields, From extends SqlText>(fields: Shown, from: From) =>
  sql`(select coalesce(json_agg(row), '[]') from ${select(fields, from)} row)`

/** A sorted JSON array of ids: `ids('label_id', sql`from task_labels where …`)`. */
export const ids = <From extends SqlText>(column: string, from: From) =>
  sql`(select coalesce(json_agg(${raw(column)} order by ${raw(column)}), '[]') ${asSql(from)})`

/** A timestamptz in the wire format. */
export const iso = (column: string) => `iso(${column})`

/** For an update's `set`: makes `updated_at` strictly later, even within a millisecond or after a lock wait. */
export const setUpdatedAt = (row?: string) => sql`updated_at = ${nextUpdatedAt(row)}`

export const nextUpdatedAt = (row?: string) => {
  const before = row ? `${row}.updated_at` : 'updated_at'
  return raw(`greatest(current_timestamp, ${before} + interval '1 millisecond')`)
}

/**
 * For the CTE `old` of an update by JSON: false where the changes leave the row as it is, so it is not
 * written. Compared with the locked row, since the update's own snapshot may show an earlier one.
 */
export const differsBy = <Given>(changes: Sql<Given>) =>
  sql`old is distinct from jsonb_populate_record(old, ${changes}) as differs`

/** The row after an update with `differsBy`, from its CTEs: the written row, or the unchanged old one. */
export const writtenOrOld = (row: string) =>
  raw(
    `(select * from ${row} union all select * from old where not exists (select from ${row})) ${row}`,
  )
