import type { TaskStatus } from '@daywright/contract'

/** A circle whose shape shows the status, so that it does not depend on colour. */
export function StatusMark({ status }: { status: TaskStatus }) {
  const isOver = status === 'completed' || status === 'cancelled' || status === 'archived'
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" className="flex-none">
      <circle
        cx="7"
        cy="7"
        r="5.75"
        fill={isOver ? 'var(--ink-2)' : 'none'}
        stroke="var(--ink-2)"
        strokeWidth="1.5"
        strokeDasharray={status === 'backlog' ? '2 2.2' : undefined}
      />
      {status === 'in_progress' && <path d="M7 3.5a3.5 3.5 0 0 1 0 7z" fill="var(--ink-2)" />}
      {status === 'completed' && (
        <path d="m4.4 7.2 1.8 1.8 3.4-3.8" fill="none" stroke="var(--paper)" strokeWidth="1.5" />
      )}
      {isOver && status !== 'completed' && (
        <path d="m4.9 4.9 4.2 4.2m0-4.2L4.9 9.1" stroke="var(--paper)" strokeWidth="1.5" />
      )}
    </svg>
  )
}
