// The migrated schema with every user's tables split by hash into 16 partitions, as a stand-in for a cluster: a
// statement that touches one partition here runs on one node there.
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { createDatabase } from './databases.ts'

const folder = new URL('../migrations/', import.meta.url)
const parts = 16

export async function partitionedDatabase(
  server: string,
  onCleanup: (clean: () => Promise<void>) => void,
) {
  const { url, drop } = await createDatabase(server)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onCleanup(async () => {
    await client.end()
    await drop()
  })
  for (const file of (await readdir(folder)).toSorted()) {
    await client.query(partitioned(await readFile(new URL(file, folder), 'utf8')))
  }
  return client
}

/** Splits `users` and every table with a `user_id`; other schemas stay whole. */
const partitioned = (sql: string) =>
  sql.replaceAll(/^create table (\w+) \(\n(.*?)\n\);$/gms, (whole, table: string, body: string) => {
    const key = table === 'users' ? 'id' : /^ {2}user_id +uuid not null/m.test(body) && 'user_id'
    if (!key) return whole
    const partitions = Array.from({ length: parts }, (_, number) => {
      const suffix = String(number).padStart(2, '0')
      return `create table ${table}_p${suffix} partition of ${table}
                for values with (modulus ${parts}, remainder ${number});`
    })
    return `${whole.slice(0, -1)} partition by hash (${key});\n${partitions.join('\n')}`
  })
