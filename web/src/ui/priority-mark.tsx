import type { TaskPriority } from '@daywright/contract'

const rank: Record<TaskPriority, number> = { none: 0, low: 1, medium: 2, high: 3, urgent: 4 }

/** The priority as bars, and a filled mark for urgent; never by colour alone. */
export function PriorityMark({ priority }: { priority: TaskPriority }) {
  if (priority === 'urgent') {
    return (
      <svg width="14" height="14" viewBox="0 0 14 14" role="img" aria-label="urgent">
        <rect width="14" height="14" rx="3.5" fill="var(--signal-ink)" />
        <rect x="6.1" y="3" width="1.8" height="5" rx=".9" fill="var(--on-ink)" />
        <rect x="6.1" y="9.3" width="1.8" height="1.8" rx=".9" fill="var(--on-ink)" />
      </svg>
    )
  }
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" role="img" aria-label={`${priority} priority`}>
      {[1, 2, 3].map((bar) => (
        <rect
          key={bar}
          x={bar * 4 - 3}
          y={11 - bar * 3}
          width="2.6"
          height={bar * 3 + 1}
          rx="1"
          fill={bar <= rank[priority] ? 'var(--ink-2)' : 'var(--line-strong)'}
        />
      ))}
    </svg>
  )
}
