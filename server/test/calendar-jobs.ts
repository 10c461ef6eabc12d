import { afterAll } from 'vitest'
import type { Providers } from '../src/features/connected-accounts/providers.ts'
import { createHostLimiter } from '../src/features/calendars/hosts.ts'
import { startReading } from '../src/features/calendars/start-reading.ts'
import { createSlowLimit } from '../src/platform/outbound/limit-slow.ts'
import { encryptWith } from '../src/platform/auth/encryption.ts'
import { instanceSecrets } from '../src/platform/auth/secret.ts'
import type { Database } from '../src/platform/db/database.ts'
import { getOutside } from '../src/platform/outbound/http-get.ts'
import { outboundAddresses } from '../src/platform/outbound/outbound-addresses.ts'
import { nameResolver } from '../src/platform/outbound/resolve-name.ts'

/** The dependencies of the jobs that read and write calendars. They may call servers on this machine, at any rate. */
export function prepareCalendarJobs(now: () => Date) {
  const { get, request, close } = getOutside(
    outboundAddresses('allow', undefined),
    nameResolver(now),
  )
  const { reader, memory, stop } = startReading({ now, log: () => {} })
  afterAll(() => {
    close()
    stop()
  })
  return (db: Database) => ({
    db,
    now,
    get,
    request,
    reader,
    memory,
    instance: 'test',
    stopping: new AbortController().signal,
    seal: encryptWith(instanceSecrets(db)),
    hosts: createHostLimiter(),
    providers: {} as Providers,
    limitSlow: createSlowLimit({ most: 1, afterMs: 3000 }),
    random: () => 0.5,
    origin: 'https://plan.example.com',
  })
}
