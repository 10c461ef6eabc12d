import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from '../kit/server.ts'
import type { Random } from '../kit/random.ts'
import { type OwnPostgres, withConnection } from '../kit/own-postgres.ts'

/**
 * What is killed. Frozen: the process is stopped (SIGSTOP) before the kill, so that what it has sent takes effect
 * while it answers nothing. Held: a table lock makes planner runs wait before they write their record, the last step.
 */
export const kinds = [
  'server',
  'frozen server',
  'backend',
  'backend',
  'PostgreSQL',
  'frozen PostgreSQL',
  'held PostgreSQL',
] as const

export type Kind = (typeof kinds)[number]

const heldMs = 120

export async function kill(kind: Kind, server: Server, postgres: OwnPostgres, random: Random) {
  if (kind === 'server') return void (await server.kill())
  if (kind === 'frozen server') {
    server.child.kill('SIGSTOP')
    await sleep(60)
    return void (await server.kill())
  }
  if (kind === 'backend') return postgres.killBackend((pids) => random.pick(pids))
  if (kind !== 'held PostgreSQL') {
    return postgres.kill({ frozen: kind === 'frozen PostgreSQL' })
  }
  await withConnection(postgres.url, async (client) => {
    await client.query(
      `begin; set local lock_timeout = '1s'; lock table planner_runs in share mode`,
    )
    await sleep(heldMs)
    await postgres.kill({ frozen: false })
  }).catch(() => {}) // the connection ends with the server
}

export const needsServer = (kind: Kind) => kind.endsWith('server')
export const needsPostgres = (kind: Kind) => kind.endsWith('PostgreSQL')
