import type { Task } from '@daywright/contract'
import { hue } from '../../../ui/badge.tsx'

const most = 3

export function Tags({ labels }: { labels: Task['labels'] }) {
  if (labels.length === 0) return undefined
  return (
    <span className="hidden flex-none items-center gap-1 @xl:flex">
      {labels.slice(0, most).map(({ id, name, color }) => (
        <span key={id} className="hue task-tag max-w-28" style={hue(color)}>
          <span className="truncate">{name}</span>
        </span>
      ))}
      {labels.length > most && <span className="text-2xs text-ink-3">+{labels.length - most}</span>}
    </span>
  )
}
