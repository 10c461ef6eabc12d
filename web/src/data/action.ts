import type { QueryKey } from '@tanstack/react-query'
import type { Refusal } from './api.ts'
import type { Expect } from './optimistic-update.ts'

/** A change of the user's data: what is sent, and what the screen shows meanwhile. */
export type Action<Answer = unknown> = {
  /** The message for the toast and the undo stack: `Moved “Write report” to Tue 9:00`. */
  says?: string | ((answer: Answer) => string)
  /** Another action that the toast offers beside Undo. */
  offers?: { label: string; action: () => Action }
  /** The optimistic update of the cache. */
  expect?: (expect: Expect) => void
  send: () => Promise<Answer>
  /** The record it changes: of two running actions, the answer of the later one counts. */
  record?: string
  /** Writes the service's answer into the cache. */
  settle?: (answer: Answer, expect: Expect) => void
  /** Queries to fetch again afterwards. Live events cause the same, a little later. */
  refreshes?: QueryKey[]
  /** The action that reverts this one. Without it there is no Undo. */
  undo?: (answer: Answer) => Action
  /** A message instead of the service's own. */
  onRefused?: (refusal: Refusal) => string | undefined
}
