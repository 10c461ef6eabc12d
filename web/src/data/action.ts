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
  /** The record that it changes. Changes of one record are sent one at a time, and only the last one settles. */
  record?: string
  /** Writes the service's answer into the cache. */
  settle?: (answer: Answer, expect: Expect) => void
  /** Queries to fetch again afterwards. Live events refresh them as well, but a little later. */
  refreshes?: QueryKey[]
  /** The action that reverts this one. An action without `undo` cannot be undone. */
  undo?: (answer: Answer) => Action
  /** Returns a message to show instead of the service's own. */
  onRefused?: (refusal: Refusal) => string | undefined
}
