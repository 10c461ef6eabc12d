import { buildApp } from '../src/app.ts'
import { type Config, readConfig } from '../src/config.ts'
import type { Solve } from '../src/features/planner/solve.ts'
import type { Database } from '../src/platform/db/database.ts'
import { holdToContract } from './hold-to-contract.ts'

export type App = Awaited<ReturnType<typeof buildApp>>

const testConfig = readConfig({
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'silent',
  WEBHOOK_PRIVATE_ADDRESSES: 'allow',
})

/** The service for tests: on their database, with their clock, and with contract checks. */
export async function testApp(
  db: Database,
  now: () => Date,
  config: Partial<Config> = {},
  solve?: Solve,
) {
  const app = await buildApp({
    db,
    now,
    solve,
    config: { ...testConfig, ...config },
    lifecycle: { phase: 'serving' },
  })
  holdToContract(app)
  return app
}
