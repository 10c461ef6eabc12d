// What a NOTIFY in each transaction costs writers: commits that notify are serialized by one lock for the whole
// PostgreSQL server.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'

const run = promisify(execFile)
const rounds = 3

export async function priceOfNotify(url: string, folder: string, client: pg.Client) {
  await client.query(`
    create table bench_writes (n integer primary key, count integer not null default 0);
    insert into bench_writes select generate_series(1, 5000);
    listen daywright_events`)
  const script = join(folder, 'notify.sql')
  const rates: Record<'plain' | 'notifying', number[]> = { plain: [], notifying: [] }
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of ['plain', 'notifying'] as const) {
      const told = kind === 'plain' ? 'n' : `pg_notify('daywright_events', n::text)`
      const update = 'update bench_writes set count = count + 1 where n = :n'
      await writeFile(script, `\\set n random(1, 5000)\n${update} returning ${told};\n`)
      const args = ['-n', '-M', 'prepared', '-c', '16', '-j', '2', '-T', '4', '-f', script, url]
      const { stdout } = await run('pgbench', args)
      rates[kind].push(Number(/tps = ([\d.]+)/.exec(stdout)?.[1]))
    }
  }
  const shown = (all: number[]) => all.map((rate) => rate.toFixed(0)).join(', ')
  process.stdout.write(
    `16 writers, commits/s: ${shown(rates.plain)} plain; ${shown(rates.notifying)} with a NOTIFY each\n`,
  )
}
