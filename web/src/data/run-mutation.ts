// Runs every mutation: optimistic update, request, rollback if the service refuses it, and undo.
import { mutationOptions, MutationObserver } from '@tanstack/react-query'
import { dismiss, toast, type ToastAction } from './toasts.ts'
import { Refusal } from './api.ts'
import { cache } from './query-client.ts'
import type { Action } from './action.ts'
import { applyOptimisticUpdate } from './optimistic-update.ts'
import { PartlyDone } from './partly-done.ts'
import { beginAction, endAction, refresh } from './refresh.ts'
import { lastDone, pushDone, pushUndone, type Step, takeDone } from './steps.ts'

export type Outcome<Answer> = { ok: true; answer: Answer } | { ok: false; error: unknown }

type Options = { isQuiet?: boolean; isUndo?: boolean; isRedo?: boolean }

/** Runs an action. Never throws: a refusal is shown as a toast and returned in the outcome. */
export async function perform<Answer>(
  action: Action<Answer>,
  options: Options = {},
): Promise<Outcome<Answer>> {
  if (!navigator.onLine) {
    toast('You are offline. Changes can’t be saved.', { tone: 'error' })
    return { ok: false, error: new Error('Offline') }
  }
  beginAction()
  const observer = new MutationObserver(cache, mutationOf(action, options))
  try {
    return { ok: true, answer: await observer.mutate() }
  } catch (error) {
    return { ok: false, error }
  } finally {
    // Otherwise the mutation would stay in the cache.
    observer.reset()
    endAction()
    refresh(...(action.refreshes ?? []))
  }
}

function mutationOf<Answer>(action: Action<Answer>, options: Options) {
  const { record, expect, send, settle } = action
  return mutationOptions({
    mutationFn: send,
    // Changes of one record are sent one at a time, so that the last one wins.
    ...(record !== undefined && { scope: { id: record } }),
    onMutate: () => applyOptimisticUpdate(expect),
    onSuccess(answer) {
      if (settle && !isFollowed(record)) applyOptimisticUpdate((next) => settle(answer, next))
      announce(action, answer, options)
    },
    onError(error, _variables, optimistic) {
      optimistic?.rollback()
      refresh(...(optimistic?.touched ?? []))
      if (!options.isQuiet) showErrorToast(action, error)
    },
  })
}

/** Whether a later change of the record is waiting, whose optimistic update must stay visible. */
const isFollowed = (record: string | undefined) =>
  record !== undefined &&
  cache
    .getMutationCache()
    .findAll({ status: 'pending' })
    .some(({ options, state }) => options.scope?.id === record && state.isPaused)

/** Shows the toast of a change, and puts it on the undo stack. */
function announce<Answer>(
  action: Action<Answer>,
  answer: Answer,
  { isQuiet, isUndo, isRedo = false }: Options,
) {
  const { undo } = action
  const says = typeof action.says === 'function' ? action.says(answer) : action.says
  const step: Step | undefined =
    undo && !isUndo ? { action: action as Action, says, back: () => undo(answer) } : undefined
  if (step) {
    // Undo in the earlier toast could revert this change instead. Ctrl Z still reverts one step at a time.
    const earlier = lastDone()?.toast
    if (earlier !== undefined) dismiss(earlier)
    pushDone(step, isRedo)
  }
  if (!says || isQuiet) return
  const id = toast(says, { actions: toastActions(action.offers, step) })
  if (step) step.toast = id
}

const toastActions = (offers: Action['offers'], step: Step | undefined): ToastAction[] => [
  ...(offers ? [{ label: offers.label, run: () => void perform(offers.action()) }] : []),
  ...(step ? [{ label: 'Undo', run: () => void undoStep(step) }] : []),
]

/** Reverts one step, unless it was already undone. */
export async function undoStep(step: Step) {
  if (!takeDone(step)) return false
  if (step.toast !== undefined) dismiss(step.toast)
  const { ok } = await perform(step.back(), { isUndo: true })
  if (ok) pushUndone(step.action)
  return ok
}

function showErrorToast<Answer>(action: Action<Answer>, error: unknown) {
  const again = { label: 'Try again', run: () => void perform(action) }
  if (error instanceof PartlyDone || isUnexpected(error)) {
    toast(errorMessage(error), { tone: 'error' })
    return
  }
  const refusal = error instanceof Refusal ? error : undefined
  // The dialog that asks to sign in again is enough.
  if (refusal?.status === 401) return
  const isTransient = isOutcomeUnknown(error) || refusal?.status === 429
  const text = (refusal && action.onRefused?.(refusal)) ?? describeFailedChange(error)
  toast(text, { tone: 'error', ...(isTransient && { actions: [again] }) })
}

/** Whether the change may have been saved: no answer came, or the service failed. */
const isOutcomeUnknown = (error: unknown) => !(error instanceof Refusal) || error.status >= 500

/** Why a change failed, as far as that is known. */
export function describeFailedChange(error: unknown) {
  const isKnown = error instanceof PartlyDone || isUnexpected(error) || !isOutcomeUnknown(error)
  return isKnown ? errorMessage(error) : `${errorMessage(error)} Your change may not be saved.`
}

/** A readable message for an error. */
export function errorMessage(error: unknown) {
  if (error instanceof PartlyDone) {
    const titles = error.titles.map((title) => `“${title}”`).join(', ')
    return `Only some of this was saved. Check these, which may have changed: ${titles}.`
  }
  if (isUnexpected(error)) return 'This page is out of date. Reload it and try again.'
  if (!(error instanceof Refusal)) return 'The server did not respond.'
  const [first] = Object.entries(error.body.details ?? {})
  if (first) return `${first[0]}: ${first[1].join(', ')}`
  if (error.status === 404) return 'This was deleted elsewhere.'
  if (error.status >= 500) return 'Something went wrong on the server.'
  return error.body.error
}

/** A response that does not match the contract of this build; see web/build/decode.ts. */
const isUnexpected = (error: unknown) =>
  error instanceof Error && ['UnexpectedAnswer', 'ZodError'].includes(error.name)

/** The service's errors per field, for `error` of the controls in ui/field.tsx. */
export function fieldErrors(error: unknown): Record<string, string | undefined> {
  if (!(error instanceof Refusal)) return {}
  const { details = {}, field, error: text } = error.body
  const named = Object.entries(details).map(([name, faults]) => [name, faults.join(', ')] as const)
  return Object.fromEntries(field === undefined ? named : [...named, [field, text]])
}
