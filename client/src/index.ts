import { Health, Readiness } from '@daywright/contract'
import { account } from './account.ts'
import { type ClientOptions, connect } from './call.ts'
import { follow } from './follow.ts'
import { recurrences } from './recurrences.ts'
import { time } from './time.ts'
import { work } from './work.ts'

export type { ClientOptions, Sent } from './call.ts'
export { ResyncRequired } from './follow.ts'
export { Refusal } from './refusal.ts'

export type Client = ReturnType<typeof createClient>

/** The API as functions. Responses are parsed by the contract, so a timestamp is a `Date`. */
export function createClient(options: ClientOptions) {
  const call = connect(options)
  return {
    ...work(call),
    ...recurrences(call),
    ...time(call),
    ...account(call),
    ...follow(call),
    health: {
      live: () => call.get(Health, '/health/live'),
      ready: () => call.get(Readiness, '/health/ready'),
    },
  }
}
