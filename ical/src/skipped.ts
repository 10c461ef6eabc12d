// What was skipped, and why: a list for the user.
import type { EventFault } from './event.ts'
import { LimitExceeded, type LimitReason, type Limits, type RefusalReason } from './limits.ts'

export type SkipReason = EventFault | LimitReason | RefusalReason | 'rule-not-understood'

/** With `rule-not-understood` only the rule was skipped: the event is there, but does not recur. */
export type Skipped = { uid: string | null; title: string; reason: SkipReason }

type Named = { uid: string | null; title: string }

export class SkippedList {
  readonly first: Skipped[] = []
  count = 0
  readonly #limits: Limits

  constructor(limits: Limits) {
    this.#limits = limits
  }

  add({ uid, title }: Named, reason: SkipReason) {
    this.count += 1
    if (this.first.length < this.#limits.skipped) this.first.push({ uid, title, reason })
  }

  /** Does the work for an event, or adds the event to the list if that exceeds a limit. */
  unlessLimited<T>(event: Named, work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof LimitExceeded)) throw error
      this.add(event, error.reason)
      return undefined
    }
  }
}
