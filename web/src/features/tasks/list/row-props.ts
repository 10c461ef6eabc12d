import type { ListedTask } from '@daywright/contract'
import type { Zone } from '../../../time/zone.ts'
import type { EditedField } from '../fields/field-editor.tsx'

/** Handlers with a stable identity, so that a row is drawn again only if it has changed. */
export type RowHandlers = {
  complete: (task: ListedTask) => void
  toggle: (task: ListedTask, isRange: boolean) => void
  edit: (task: ListedTask, field: EditedField, anchor: HTMLElement) => void
  estimate: (task: ListedTask, minutes: number) => void
  startRename: (task: ListedTask) => void
  rename: (task: ListedTask, title: string | undefined) => void
  open: (task: ListedTask) => void
}

export type RowProps = {
  task: ListedTask
  index: number
  asksEstimate: boolean
  isFocused: boolean
  isSelected: boolean
  isShown: boolean
  isRenaming: boolean
  isNarrow: boolean
  /** The start of the task's next block, in epoch milliseconds. */
  planned: number | undefined
  now: Date
  zone: Zone
  handlers: RowHandlers
}
