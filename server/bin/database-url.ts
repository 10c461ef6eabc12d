import type { Config } from '../src/config.ts'
import {
  defaultDataFolder,
  embeddedPostgres,
} from '../src/platform/embedded-postgres/embedded-postgres.ts'

/** The database to use: the operator's, or a bundled one that starts and stops with this process. */
export function chooseDatabase({ DATABASE_URL, DAYWRIGHT_DATA }: Config) {
  if (!DATABASE_URL) return embeddedPostgres(DAYWRIGHT_DATA ?? defaultDataFolder())
  const { host, pathname } = new URL(DATABASE_URL)
  return {
    url: DATABASE_URL,
    describe: `PostgreSQL at ${host}${pathname}`,
    exists: () => true,
    onLost: () => {}, // the operator restarts their own database
    start: async () => {},
    stop: async () => {},
  }
}
