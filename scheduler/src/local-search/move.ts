// The shape of every move of the local searches.
import type { Draft } from '../placement/draft.ts'

/** Each search accepts or takes back a change before it proposes the next one. */
export type Move<State, Change> = {
  name: string
  /** Makes a change and returns its description; undefined if nothing was changed. */
  propose: (state: State) => Change | undefined
  /** Takes the change back. */
  undo: (state: State, change: Change) => void
}

/** A move that changes a draft, which knows its changes itself. */
export type DraftMove<State extends { draft: Draft }> = Move<State, true>

export const undoDraft = ({ draft }: { draft: Draft }): void => draft.undo()
