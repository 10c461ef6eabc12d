// Bounds the cost of every statement under its generic plan, which is what a prepared statement uses: each
// runs for a user with 10,000 tasks and is rolled back. Rows and pages are counted, not time, so a busy
// machine makes no difference.
import pg from 'pg'
import '../../app.ts'
import '../../features/account/account-command.ts'
import '../../features/account/rotate-secret.ts'
import '../../jobs/worker.ts'
import { makeBusyUser, valuesFor } from '../../../test/busy-user.ts'
import { describe, expect, it as base } from '../../../test/it.ts'
import { statements } from './statement.ts'

const it = base.extend('busy', { scope: 'file' }, async ({ db, url }, { onCleanup }) => {
  const maker = new pg.Client({ connectionString: url })
  await maker.connect()
  try {
    await makeBusyUser(maker)
  } finally {
    await maker.end()
  }
  const client = await db.pool.connect() // with the settings of the service
  onCleanup(() => client.release(true))
  // The planted join takes seconds, and more on a busy machine.
  await client.query('set statement_timeout = 0')
  return client
})

/** Pages read, and rows that a join or a filter read and discarded. */
const ordinary = { buffers: 2500, rowsRemovedByJoins: 3000, rowsRemovedByFilters: 6000 }

const everyTask = { buffers: 20_000 }
const aThousandWritten = { buffers: 100_000 }

/** Statements that may cost more, and why. */
const exceptions: Record<string, Partial<typeof ordinary>> = {
  // They count every task of the user, or every link of the user's labels.
  'tasks.list': everyTask,
  'tasks.list labelId': everyTask,
  'tasks.list dueBefore': everyTask,
  'tasks.list labelId,dueBefore': everyTask,
  'projects.list': everyTask,
  'projects.list-in-space': everyTask,
  'spaces.list': everyTask,
  'labels.list': everyTask,
  // They read every task that was ever due.
  'tasks.list open,dueBefore': { ...everyTask, rowsRemovedByFilters: 10_000 },
  'tasks.list open,labelId,dueBefore': { ...everyTask, rowsRemovedByFilters: 10_000 },
  // They read all open tasks, or all archived ones. In `planner.problem`, 4,000 of the pages are for 1,600
  // occurrences of habits and the tasks of 500 of them.
  'planner.problem': { buffers: 20_000, rowsRemovedByJoins: 60_000 },
  'planner.status': { buffers: 6000 },
  // It reads all completed tasks, to find those whose time was measured.
  'planner.estimate-errors': { ...everyTask, rowsRemovedByFilters: 10_000 },
  'planner.archived-tasks-to-purge': { buffers: 6000 },
  // They write hundreds of rows, each into every index of its table.
  'tasks.delete': aThousandWritten,
  'tasks.batch-complete': aThousandWritten,
  'tasks.batch-archive': aThousandWritten,
  'tasks.batch-complete-with-blocks': aThousandWritten,
  'tasks.batch-archive-with-blocks': aThousandWritten,
  'projects.delete': aThousandWritten,
  'spaces.delete': aThousandWritten,
  'schedule-preferences.delete': aThousandWritten,
  'time-blocks.reorder': aThousandWritten,
  'labels.delete': { buffers: 15_000 },
  'tasks.lock-to-delete': { buffers: 8000 },
  'tasks.lock-for-batch': { buffers: 8000 },
  'history.labels-of-tasks': { buffers: 10_000 },
  'planner.insert-blocks': { buffers: 20_000 },
  'planner.cancel-blocks': { buffers: 15_000 },
  'planner.undo-made-blocks': { buffers: 6000 },
  'planner.restore-blocks': { buffers: 6000 },
  // It reads the blocks of two weeks, and the task of each.
  'time-blocks.list-missed': { buffers: 5000 },
  // It reads the open occurrences of a hundred series, with the task of each, its blocks and its checklist.
  'occurrences.list-watched': { buffers: 12_000 },
  'occurrences.lapse': aThousandWritten,
  'occurrences.archive': aThousandWritten,
  'occurrences.reopen': aThousandWritten,
  'occurrences.mark-withdrawn': aThousandWritten,
  'occurrences.end': aThousandWritten,
  // They read everything a user has: one runs daily, the other when the history is too large.
  'usage.recount': { buffers: 15_000, rowsRemovedByFilters: 20_000 },
  'worker.trim-overfull-history': { buffers: 40_000 },
  // It compares the ids of at most a hundred runs with each other.
  'planner-runs.trim': { rowsRemovedByFilters: 10_000 },
}

type Node = { Plans?: Node[]; [measure: string]: unknown }

async function costOf(client: pg.PoolClient, name: string, text: string) {
  await client.query('begin')
  try {
    await client.query(`prepare measured as ${text}`)
    const { rows: prepared } = await client.query<{ types: string[] }>(
      `select parameter_types::text[] as types from pg_prepared_statements where name = 'measured'`,
    )
    const values = valuesFor(name, text, prepared[0]?.types ?? [])
    const call = values.length > 0 ? `measured(${values.join()})` : 'measured'
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
      `explain (analyze, buffers, timing off, format json) execute ${call}`,
    )
    const nodes = nodesOf(rows[0]?.['QUERY PLAN'][0].Plan ?? {})
    const most = (measure: (node: Node) => number) => Math.max(...nodes.map(measure))
    return {
      buffers: most((node) => count(node, 'Shared Hit Blocks') + count(node, 'Shared Read Blocks')),
      rowsRemovedByJoins: most((node) => inAll(node, 'Rows Removed by Join Filter')),
      rowsRemovedByFilters: most((node) => inAll(node, 'Rows Removed by Filter')),
    }
  } finally {
    await client.query('rollback')
    await client.query('deallocate all')
  }
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
const count = (node: Node, measure: string) => Number(node[measure] ?? 0)
/** PostgreSQL reports rows per execution of the node. */
const inAll = (node: Node, measure: string) => count(node, measure) * count(node, 'Actual Loops')

const excess = (cost: typeof ordinary, most: typeof ordinary) =>
  Object.fromEntries(
    Object.entries(cost).filter(([measure, value]) => value > most[measure as keyof typeof most]),
  )

describe('for a user with 10,000 tasks, with a generic plan', () => {
  it.for([...statements])('%s reads no more than it needs', async ([name, text], { busy }) => {
    const cost = await costOf(busy, name, text)

    expect(excess(cost, { ...ordinary, ...exceptions[name] })).toEqual({})
  })

  it('detects a join that compares every row with every other', async ({ busy }) => {
    const name = 'tasks.list spaceId,labelId'
    const text = `
      select count(*) from tasks task
       where task.user_id = $1 and task.space_id = $2
         and exists (select from task_labels link
                      where link.user_id = $1 and link.task_id = task.id and link.label_id = $3)`

    expect(excess(await costOf(busy, name, text), ordinary)).not.toEqual({})
  })
})
