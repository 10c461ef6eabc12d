// The plan of a statement, with a plausible value for each parameter; PostgreSQL provides the types.
import type { ClientBase } from 'pg'

export type PlanNode = {
  'Node Type': string
  Operation?: string
  'Parent Relationship'?: string
  Schema?: string
  'Relation Name'?: string
  'Index Name'?: string
  'Target Tables'?: { 'Relation Name': string }[]
  Plans?: PlanNode[]
  Output?: string[]
  /** The statement's user, and the suffix of the user's partitions. */
  user: string
  home: string
  /** The user ids that the rows of an insert may get. */
  insertsFor: string[]
}

export const anyUser = '01980f2e-0000-7000-8000-00000000000a'
const someId = '01980f2e-0000-7000-8000-00000000000b'

const samples: Record<string, string> = {
  uuid: `'${someId}'`,
  'uuid[]': `array['${someId}']::uuid[]`,
  text: `'sample'`,
  'text[]': `array['read']`,
  jsonb: `'{}'`,
  bytea: `'\\x00'`,
  integer: '50',
  bigint: '1',
  'bigint[]': 'array[0]::bigint[]',
  date: `'2026-03-02'`,
  boolean: 'true',
  'double precision': '1',
}
const enums: Record<string, string> = {
  task_status: `'todo'`,
  doc_type: `'note'`,
  user_role: `'user'`,
}

/** A sample time, later for each parameter: for an empty range, PostgreSQL would read no table. */
const dayOf = (index: number) => `'2026-03-${String(index + 1).padStart(2, '0')}T08:00:00Z'`

export async function explain(client: ClientBase, text: string, user = anyUser) {
  await client.query(`set plan_cache_mode = force_custom_plan`)
  await client.query(`prepare explained as ${text}`)
  try {
    const { rows: prepared } = await client.query<{ types: string[] }>(
      `select parameter_types::text[] as types from pg_prepared_statements where name = 'explained'`,
    )
    const types = prepared[0]?.types ?? []
    const values = types.map((type, index) => {
      if (index === 0 && type === 'uuid') return `'${user}'`
      const value =
        type === 'timestamp with time zone' ? dayOf(index) : (samples[type] ?? enums[type])
      if (!value) throw new Error(`No sample of ${type}`)
      return value
    })
    const call = values.length > 0 ? `explained(${values.join()})` : 'explained'
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (format json, verbose) execute ${call}`,
    )
    const plan = rows[0]?.['QUERY PLAN'][0].Plan
    if (!plan) throw new Error('No plan')
    const home = await homeOf(client, user)
    return nodesOf(plan).map((node) =>
      Object.assign(node, { user, home, insertsFor: outputs(node) }),
    )
  } finally {
    await client.query('deallocate explained')
  }
}

/** Drops the foreign keys: checking them takes most of the time of filling tables, and plans do not depend on them. */
export const dropForeignKeys = (client: ClientBase) =>
  client.query(`
    do $$
    declare key record;
    begin
      for key in select conrelid::regclass as table_name, conname from pg_constraint
                  where contype = 'f' and connamespace = 'public'::regnamespace loop
        execute format('alter table %s drop constraint %I', key.table_name, key.conname);
      end loop;
    end $$`)

/** The tables in the plan that are outside the partition of the statement's user. */
export function straysOf(plan: PlanNode[]) {
  const tenants = plan.filter((node) => node.Schema === 'public' && node['Relation Name'])
  const strays = tenants.filter((node) => {
    if (node.Operation === 'Insert') return !node.insertsFor.includes(node.user)
    const touched = node['Target Tables'] ?? [node]
    return touched.length !== 1 || !touched[0]?.['Relation Name']?.endsWith(node.home)
  })
  return strays.map((node) => `${node['Node Type']} ${node['Relation Name']}`)
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** The source of an insert's first column, which is the user in every table. */
function outputs(node: PlanNode) {
  let rows = sourceOf(node)
  // Nodes that pass on the first column of the node below, such as a sub-select's unnamed first column.
  while (rows?.['Node Type'] === 'LockRows' || rows?.Output?.[0]?.endsWith('."?column?"')) {
    rows = sourceOf(rows)
  }
  const source = rows?.Output?.[0] ?? ''
  return [...source.matchAll(/'([0-9a-f-]{36})'/g)].map(([, id = '']) => id)
}

const sourceOf = ({ Plans = [] }: PlanNode) =>
  Plans.find((plan) => plan['Parent Relationship'] !== 'InitPlan')

/** The suffix of the user's partitions, such as `_p07`; empty if the tables are not partitioned. */
async function homeOf(client: ClientBase, user: string) {
  const { rows } = await client.query<{ home: string }>(
    `select substring(relname from '_p\\d\\d$') as home
       from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = 'users'::regclass
        and satisfies_hash_partition(inhparent, 16, substring(relname from '\\d\\d$')::int, $1::uuid)`,
    [user],
  )
  return rows[0]?.home ?? ''
}
