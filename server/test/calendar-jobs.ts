import { afterAll } from 'vitest'
import type { Providers } from '../src/features/connected-accounts/providers.ts'
import { createHostLimiter } from '../src/features/calendars/hosts.ts'
import { readInThread } from '../src/features/calendars/read-in-thread.ts'
import { limitSlowFetches } from '../src/features/calendars/slow-fetches.ts'
import { encryptWith } from '../src/platform/auth/encryption.ts'
import { instanceSecret } from '../src/platform/auth/secret.ts'
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
  const { readFile, stop } = readInThread()
  afterAll(async () => {
    close()
    await stop()
  })
  return (db: Database) => ({
    db,
    now,
    get,
    request,
    readFile,
    seal: encryptWith(instanceSecret(db, undefined)),
    hosts: createHostLimiter(),
    providers: {} as Providers,
    limitSlow: limitSlowFetches(1),
    random: () => 0.5,
    origin: 'https://plan.example.com',
  })
}
