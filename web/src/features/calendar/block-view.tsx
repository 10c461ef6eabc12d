import { Check, Lock, Play, TriangleAlert } from 'lucide-react'
import { memo } from 'react'
import { formatMinutes, formatTime } from '../../time/format.ts'
import { minutesBetween, type Zone } from '../../time/zone.ts'
import { hue } from '../../ui/badge.tsx'
import { clashText } from '../blocks/clashes.ts'
import { lateBy, lateText } from '../blocks/lateness.ts'
import type { Entry } from './entries.ts'
import { type Segment, shortestMinutes } from './segments.ts'

/** Keeps a title of one line from being wrapped behind its mark. */
const wordJoiner = '\u2060'

type Props = {
  segment: Segment<Entry>
  zone: Zone
  isSelected: boolean
  isTabStop: boolean
}

/** A block in its column. The grid handles its events; see `grid-pointer.ts`. */
export const BlockView = memo(({ segment, zone, isSelected, isTabStop }: Props) => {
  const { item, start, end, lane, lanes, isFirst, isLast } = segment
  const minutes = Math.max(end - start, shortestMinutes)
  const length = minutesBetween(item.startAt, item.block?.endAt ?? item.endAt)
  const late = item.isMissed ? undefined : lateText(item.endAt, item.lateFor, zone)
  const clash = item.clash && clashText(item.clash, zone)
  const isWarned = Boolean(clash ?? late) || item.isAtRisk
  return (
    <li className="contents">
      <button
        type="button"
        className="hue week-block"
        data-block={item.id}
        data-kept={item.isKept || undefined}
        data-done={item.isDone || undefined}
        data-running={item.isRunning || undefined}
        data-change={item.change}
        data-short={minutes < 40 ? (minutes < 26 ? 'very' : '') : undefined}
        data-missed={item.isMissed || undefined}
        data-tip={[clash, late, item.explanation].filter(Boolean).join('. ') || undefined}
        aria-pressed={isSelected}
        tabIndex={isTabStop ? 0 : -1}
        style={{
          ...hue(item.color),
          ...lengthOf(minutes),
          left: `calc(${(lane / lanes) * 100}% + 2px)`,
          width: `calc(${100 / lanes}% - ${lanes > 1 && lane < lanes - 1 ? 2 : 5}px)`,
          top: `calc(var(--hour) * ${start / 60} + 1px)`,
          height: `calc(var(--hour) * ${minutes / 60} - 2px)`,
        }}
      >
        {isFirst && <span className="block-edge" data-edge="start" />}
        <span className="block-title">
          {item.isDone && <Check size={12} aria-hidden="true" className="block-mark" />}
          {item.isRunning && <Play size={11} aria-hidden="true" className="block-mark" />}
          {isWarned && <TriangleAlert size={12} aria-hidden="true" className="block-risk" />}
          {(item.isDone || item.isRunning || isWarned) && wordJoiner}
          {item.title}
        </span>
        <span className="block-meta tabular">
          <span className="block-time">
            {formatTime(item.startAt, zone)}
            <span className="block-until">–{formatTime(item.endAt, zone)}</span>
          </span>
          {late && item.lateFor && (
            <span className="block-late">{lateBy(item.endAt, item.lateFor)}</span>
          )}
          <span className="block-place">
            {' · '}
            {formatMinutes(length)}
            {item.place && ` · ${item.place}`}
          </span>
        </span>
        {item.isLocked && <Lock size={11} aria-hidden="true" className="block-lock" />}
        <span className="sr-only">{[stateOf(item), late, clash].filter(Boolean).join(', ')}</span>
        {isLast && <span className="block-edge" data-edge="end" />}
      </button>
    </li>
  )
})

/** For the number of text rows that fit, which depends on the density. */
const lengthOf = (minutes: number): Record<string, number> => ({ '--minutes': minutes })

/** The block's state as text, for screen readers. */
function stateOf(entry: Entry) {
  const words = [
    entry.change === 'leaves' && 'removed by this plan',
    entry.change === 'arrives' && 'new in this plan',
    entry.isDone && 'done',
    entry.isRunning && 'started',
    entry.isLocked ? 'locked' : entry.isKept && 'placed by you',
    !entry.isKept && !entry.change && 'placed by the planner',
    entry.isAtRisk && 'at risk',
    entry.isMissed && 'missed',
  ]
  return words.filter(Boolean).join(', ')
}
