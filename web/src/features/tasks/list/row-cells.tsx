import { CalendarClock } from 'lucide-react'
import { formatMinutes, formatWhen } from '../../../time/format.ts'
import { Swatch } from '../../../ui/badge.tsx'
import { tip } from '../../../ui/tip.ts'
import { DueText } from './due-text.tsx'
import { EstimateChips } from './estimate-chips.tsx'
import type { RowProps } from './row-props.ts'

/** A click on a control of the row must not open the row. */
export const stop = (event: { stopPropagation: () => void }) => event.stopPropagation()

export function Cells({ task, planned, asksEstimate, now, zone, handlers }: RowProps) {
  const place = task.project ?? task.space
  return (
    <>
      <div
        role="gridcell"
        className={`w-44 flex-none justify-end ${asksEstimate ? 'flex' : 'hidden @4xl:flex'}`}
        {...(asksEstimate && { onClick: stop })}
      >
        {asksEstimate && <EstimateChips task={task} handlers={handlers} />}
        {!asksEstimate && planned !== undefined && (
          <span className="task-cell text-ink-3" {...tip('Planned')}>
            <CalendarClock size={13} aria-hidden="true" />
            <span className="sr-only">Planned </span>
            {formatWhen(new Date(planned), zone, now)}
          </span>
        )}
      </div>
      <div role="gridcell" className="hidden w-36 flex-none pl-3 @2xl:block" onClick={stop}>
        <button
          type="button"
          tabIndex={-1}
          data-field="place"
          aria-label={`Move “${task.title}”, now in ${place?.name ?? 'the inbox'}`}
          className="task-cell max-w-full"
          onClick={({ currentTarget }) => handlers.edit(task, 'place', currentTarget)}
        >
          {place && <Swatch color={place.color} isRound={task.project !== null} />}
          <span className="truncate">
            {place?.name ?? <span className="text-ink-3">Inbox</span>}
          </span>
        </button>
      </div>
      <div role="gridcell" className="flex w-20 flex-none justify-end" onClick={stop}>
        <button
          type="button"
          tabIndex={-1}
          data-field="estimate"
          className="task-cell"
          onClick={({ currentTarget }) => handlers.edit(task, 'estimate', currentTarget)}
        >
          <span className="sr-only">Estimate of “{task.title}”: </span>
          {task.estimateMinutes ? (
            formatMinutes(task.estimateMinutes)
          ) : (
            <span className="text-ink-3">–</span>
          )}
        </button>
      </div>
      <div role="gridcell" className="flex w-32 flex-none justify-end" onClick={stop}>
        <button
          type="button"
          tabIndex={-1}
          data-field="dueAt"
          className="task-cell"
          onClick={({ currentTarget }) => handlers.edit(task, 'dueAt', currentTarget)}
        >
          <span className="sr-only">Due date of “{task.title}”: </span>
          <DueText task={task} now={now} zone={zone} />
        </button>
      </div>
    </>
  )
}

/** The second line of a row on a narrow screen, which has no room for columns. */
export function Meta({ task, planned, now, zone }: RowProps) {
  const place = task.project ?? task.space
  return (
    <div className="flex min-w-0 items-center gap-2 overflow-hidden text-2xs whitespace-nowrap text-ink-3 tabular">
      {place && (
        <span className="flex min-w-[3.5rem] shrink items-center gap-1">
          <Swatch color={place.color} isRound={task.project !== null} />
          <span className="truncate">{place.name}</span>
        </span>
      )}
      {task.dueAt && <DueText task={task} now={now} zone={zone} />}
      {task.estimateMinutes ? <span>{formatMinutes(task.estimateMinutes)}</span> : undefined}
      {planned !== undefined && (
        <span className="flex min-w-0 flex-none items-center gap-1">
          <CalendarClock size={11} aria-hidden="true" />
          {formatWhen(new Date(planned), zone, now)}
        </span>
      )}
    </div>
  )
}
