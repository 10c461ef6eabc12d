// A separate PostgreSQL that can be killed: the one bundled with the service, with fsync on.
import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { migrate } from '../../../server/src/platform/db/migrate.ts'
import { embeddedPostgres } from '../../../server/src/platform/embedded-postgres/embedded-postgres.ts'

const frozenMs = 60
const lockFile = 'database/postmaster.pid'

export type OwnPostgres = Awaited<ReturnType<typeof ownPostgres>>

export async function ownPostgres() {
  const folder = await newFolder()
  await promisify(execFile)('cp', ['-Rp', join(await template(), 'database'), folder])
  let handle = embeddedPostgres(folder)
  await handle.start()

  async function postmaster() {
    return Number.parseInt(await readFile(join(folder, lockFile), 'utf8'), 10)
  }

  return {
    url: handle.url,
    /** Kills the postmaster and all its children together; `frozen` stops them (SIGSTOP) first. */
    async kill({ frozen }: { frozen: boolean }) {
      const pid = await postmaster()
      const all = [pid, ...(await childrenOf(pid))]
      if (frozen) {
        for (const one of all) signal(one, 'SIGSTOP')
        await sleep(frozenMs)
      }
      for (const one of all) signal(one, 'SIGKILL')
    },
    async start() {
      handle = embeddedPostgres(folder)
      await handle.start()
    },
    /** Kills one backend of the service. PostgreSQL then ends all others, and recovers. */
    async killBackend(choose: (pids: number[]) => number) {
      await withConnection(handle.url, async (client) => {
        const { rows } = await client.query<{ pid: number }>(
          `select pid from pg_stat_activity where application_name = 'daywright' order by state, pid`,
        )
        if (rows.length > 0) signal(choose(rows.map(({ pid }) => pid)), 'SIGKILL')
      })
    },
    async leave() {
      await this.kill({ frozen: false }).catch(() => {})
      await sleep(50)
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
      folders.delete(folder)
    },
  }
}

/** Calls `ask` with a new connection. Throws if the connection breaks, which may happen at any time. */
export async function withConnection<Result>(
  url: string,
  ask: (client: pg.Client) => Promise<Result>,
) {
  const client = new pg.Client({ connectionString: url, query_timeout: 20_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return await ask(client)
  } finally {
    await client.end()
  }
}

// Creating a cluster takes a second or two, so one is created and copied.
let made: Promise<string> | undefined
const template = () =>
  (made ??= (async () => {
    const folder = await newFolder()
    const postgres = embeddedPostgres(folder)
    await postgres.start()
    await migrate(postgres.url)
    await postgres.stop()
    return folder
  })())

const folders = new Set<string>()
async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'daywright-crash-'))
  folders.add(folder)
  await chmod(folder, 0o711)
  return folder
}
process.on('exit', () => {
  for (const folder of folders) {
    try {
      signal(Number.parseInt(readFileSync(join(folder, lockFile), 'utf8'), 10), 'SIGKILL')
    } catch {} // not running
    rmSync(folder, { recursive: true, force: true })
  }
})

async function childrenOf(parent: number) {
  const pids = (await readdir('/proc')).map(Number).filter(Boolean)
  const parents = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1])
    }),
  )
  return pids.filter((_, index) => parents[index] === parent)
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch {} // already gone
}
