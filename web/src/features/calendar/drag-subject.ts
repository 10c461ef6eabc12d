export type DragKind = 'move' | 'start' | 'end' | 'place' | 'create'

export type Span = { day: number; start: number; end: number }

export type DragSubject = {
  kind: DragKind
  title: string
  color: string | null
  /** The block on the grid, which is shown faintly meanwhile. */
  element?: HTMLElement
  /** Its current span; undefined for a task from the list. */
  from?: Span
  /** Its length in minutes. */
  minutes: number
  /** Returns a warning about a drop at this span, such as a missed due date. */
  warns?: (span: Span) => string | undefined
  onDrop: (span: Span) => void
  /** Called for a click without a drag. */
  onClick?: () => void
}
