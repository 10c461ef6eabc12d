import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import pg from 'pg'

const run = promisify(execFile)

/**
 * Pins the service and its backends to the first core and the clients to the others, so that the load does
 * not take time from the service. Best effort.
 */
export async function pinToCores(service: number, databaseUrl: string, asking: number) {
  const cores = availableParallelism()
  if (cores < 2) return
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database()',
  )
  await client.end()
  await Promise.all([
    pin(asking, `1-${cores - 1}`),
    ...[service, ...rows.map(({ pid }) => pid)].map((pid) => pin(pid, '0')),
  ])
}

const pin = (pid: number, cores: string) =>
  run('taskset', ['-a', '-c', '-p', cores, String(pid)]).catch(() => {})
