import { createPortal } from 'react-dom'
import { formatMinutes } from '../../time/format.ts'
import { hue } from '../../ui/badge.tsx'
import { useGhost } from './ghost.ts'

const clock = (minutes: number) => {
  const wall = ((minutes % 1440) + 1440) % 1440
  return `${Math.floor(wall / 60)}:${String(Math.round(wall % 60)).padStart(2, '0')}`
}

/** The snapped outline in the grid, or a chip at the pointer while it is outside. */
export function GhostView({ dayCount }: { dayCount: number }) {
  const ghost = useGhost()
  if (!ghost) return null
  const { subject, span, x, y } = ghost
  if (!span) {
    return createPortal(
      <div
        className="hue drag-chip"
        style={{ ...hue(subject.color), translate: `${x + 10}px ${y + 6}px` }}
      >
        {subject.title}
      </div>,
      document.body,
    )
  }
  const start = Math.max(0, span.start)
  const end = Math.min(1440, span.end)
  const warning = subject.warns?.(span)
  return (
    <div
      className="hue ghost"
      data-kind={subject.kind}
      style={{
        ...hue(subject.color),
        left: `calc(${(span.day / dayCount) * 100}% + 2px)`,
        width: `calc(${100 / dayCount}% - 4px)`,
        top: `calc(var(--hour) * ${start / 60})`,
        height: `calc(var(--hour) * ${(end - start) / 60})`,
      }}
    >
      <div className="truncate font-medium">{subject.title}</div>
      <div className="tabular">
        {clock(span.start)}–{clock(span.end)} · {formatMinutes(span.end - span.start)}
      </div>
      {warning && <div className="ghost-late truncate">{warning}</div>}
    </div>
  )
}
