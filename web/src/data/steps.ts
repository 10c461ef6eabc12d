// The undo stack of this tab. The last element is the most recent step.
import type { Action } from './action.ts'

/** `toast` is the id of the toast that offers Undo. */
export type Step = {
  action: Action
  says: string | undefined
  back: () => Action
  toast?: number
}

const deepest = 100
let done: Step[] = []
let undone: Action[] = []

export const lastDone = () => done.at(-1)

export function pushDone(step: Step, isRedo = false) {
  done = [...done.slice(1 - deepest), step]
  if (!isRedo) undone = []
}

/** Removes a step from the stack. Returns false if it was already undone, by the toast or by the key. */
export function takeDone(step: Step) {
  const isThere = done.includes(step)
  done = done.filter((each) => each !== step)
  return isThere
}

export function pushUndone(action: Action) {
  undone = [...undone, action]
}
export function popUndone() {
  const action = undone.at(-1)
  undone = undone.slice(0, -1)
  return action
}

export function forgetSteps() {
  done = []
  undone = []
}
