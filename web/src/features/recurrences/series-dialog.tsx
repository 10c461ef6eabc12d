import type { Occurrence, Occurrences as Dates, Recurrence } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Action } from '../../data/action.ts'
import {
  changeRecurrence,
  changeRecurrenceFrom,
  deleteRecurrence,
  endRecurrence,
  pauseRecurrence,
  type RepeatRule,
  resumeRecurrence,
  skipOccurrence,
  unskipOccurrence,
} from '../../data/actions/recurrences.ts'
import { useZone } from '../../data/profile.ts'
import { queries } from '../../data/queries.ts'
import { errorMessage, perform } from '../../data/run-mutation.ts'
import { useNow } from '../../time/clock.ts'
import { formatDay } from '../../time/format.ts'
import { dayOf } from '../../time/zone.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formOf } from './repeat-form.ts'

const RepeatDialog = lazy(() => import('./repeat-dialog.tsx'))

type Props = {
  recurrence: Recurrence
  /** The occurrence from which the dialog was opened. */
  occurrence: Occurrence
  onClose: () => void
}

/** A recurrence: how it went, what is coming, and everything that can be done with it. */
export default function SeriesDialog({ recurrence, occurrence, onClose }: Props) {
  const [isEdited, setEdited] = useState(false)
  const zone = useZone()
  const today = dayOf(useNow(), zone)
  const { data, isLoading, error } = useQuery(queries.occurrences(recurrence.id, today))
  // A dialog that grows when the dates arrive moves its buttons from under the pointer.
  if (isLoading) return null
  if (isEdited) return <Edit {...{ recurrence, occurrence, onClose }} />

  function end(action: Action) {
    onClose()
    void perform(action)
  }
  const { task, words, pausedAt } = recurrence
  return (
    <Dialog title={task.title} isOpen onClose={onClose}>
      <p className="px-4 pb-2">
        Repeats {words}
        {pausedAt && '. Paused: no tasks are added until you resume it'}.
      </p>
      {data ? (
        <Occurrences {...{ recurrence, zone, today, ...data }} />
      ) : (
        <p className="px-4 pb-3 text-ink-2">{error ? errorMessage(error) : 'Loading…'}</p>
      )}
      <div className="flex flex-wrap gap-2 border-t px-4 py-2.5">
        <Button look="danger" onClick={() => end(deleteRecurrence(recurrence))}>
          Delete all
        </Button>
        <Button onClick={() => end(endRecurrence(recurrence, occurrence.day))}>
          Stop after this one
        </Button>
        <Button
          onClick={() =>
            void perform(pausedAt ? resumeRecurrence(recurrence) : pauseRecurrence(recurrence))
          }
        >
          {pausedAt ? 'Resume' : 'Pause'}
        </Button>
        <Button look="primary" className="ml-auto" onClick={() => setEdited(true)}>
          Change…
        </Button>
      </div>
    </Dialog>
  )
}

function Edit({ recurrence, occurrence, onClose }: Props) {
  const isFirst = occurrence.day <= recurrence.startsOn
  const all = {
    label: 'Change all',
    choose: (rule: RepeatRule) => changeRecurrence(recurrence, rule),
  }
  const fromHere = {
    label: 'Change from this one on',
    choose: (rule: RepeatRule) => changeRecurrenceFrom(recurrence, occurrence.day, rule),
  }
  return (
    <Suspense>
      <RepeatDialog
        title={`Repeat “${recurrence.task.title}”`}
        start={formOf(recurrence)}
        choices={isFirst ? [all] : [all, fromHere]}
        hasFixedKind
        onClose={onClose}
      />
    </Suspense>
  )
}

const shown = 8

type OccurrencesProps = Pick<Dates, 'counts' | 'occurrences'> & {
  recurrence: Recurrence
  zone: string
  today: Temporal.PlainDate
}

function Occurrences({ recurrence, zone, today, counts, occurrences }: OccurrencesProps) {
  const { done, skipped, missed } = counts
  const coming = occurrences.filter(
    ({ state, day }) =>
      state === 'open' || state === 'coming' || (state === 'skipped' && day >= today.toString()),
  )
  return (
    <>
      <p className="px-4 pb-2 text-xs text-ink-2 tabular">
        {done} done · {skipped} skipped · {missed} missed
      </p>
      <ul aria-label="Upcoming dates" className="max-h-80 overflow-y-auto border-t px-4 py-1">
        {coming.slice(0, shown).map((each) => (
          <Coming key={`${each.day} ${each.nth}`} {...{ recurrence, zone }} occurrence={each} />
        ))}
        {coming.length === 0 && <li className="py-2 text-ink-2">No upcoming dates.</li>}
      </ul>
    </>
  )
}

type ComingProps = { recurrence: Recurrence; occurrence: Occurrence; zone: string }

function Coming({ recurrence, occurrence, zone }: ComingProps) {
  const { state, dueAt, day } = occurrence
  const noon = new Date(
    Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime: '12:00' })
      .epochMilliseconds,
  )
  const when = formatDay(dueAt ?? noon, zone)
  const isSkipped = state === 'skipped'
  return (
    <li className="flex min-h-9 items-center gap-3 border-b last:border-b-0">
      <span className={`flex-1 tabular ${isSkipped ? 'text-ink-3 line-through' : ''}`}>{when}</span>
      {isSkipped ? (
        <Button
          aria-label={`Do not skip ${when}`}
          onClick={() => void perform(unskipOccurrence(recurrence, occurrence, when))}
        >
          Do not skip
        </Button>
      ) : (
        <Button
          look="quiet"
          aria-label={`Skip ${when}`}
          onClick={() => void perform(skipOccurrence(recurrence, occurrence, when))}
        >
          Skip
        </Button>
      )}
    </li>
  )
}
