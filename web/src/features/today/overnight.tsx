import type { FullPlannerRun } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useZone } from '../../data/profile.ts'
import { queries } from '../../data/queries.ts'
import { useNow } from '../../time/clock.ts'
import { formatWhen, formatWhenInText } from '../../time/format.ts'
import type { Zone } from '../../time/zone.ts'
import { Button } from '../../ui/button.tsx'
import { setDevice, useDevice } from '../../ui/device.ts'

const most = 5

/** What the last automatic plan changed, until it is accepted. */
export function Overnight({ onOpen }: { onOpen: (taskId: string) => void }) {
  const zone = useZone()
  const now = useNow()
  const { seenRun } = useDevice()
  const { data: run } = useQuery(queries.automaticRun())
  if (!run || run.id === seenRun) return undefined
  const changes = changesOf(run, zone, now)
  if (changes.length === 0) return undefined
  const { moved, added } = run.blocks
  const late = changes.filter(({ isLate }) => isLate).length
  const counts = [
    moved.length > 0 && `${moved.length} moved`,
    added.length > 0 && `${added.length} new`,
    late > 0 && `${late} late`,
  ].filter(Boolean)
  return (
    <section aria-label="Changes to your plan" className="rounded-[10px] border px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold">Your plan has changed</h2>
          <p className="text-xs text-ink-3 tabular">
            {formatWhen(run.plannedAt, zone, now)}: {counts.join(', ')}
          </p>
        </div>
        <Link to="/calendar" search={{ plan: run.id }} className="button button-quiet">
          Details
        </Link>
        <Button onClick={() => setDevice({ seenRun: run.id })}>Looks good</Button>
      </div>
      <ul className="mt-1">
        {changes.slice(0, most).map(({ key, taskId, title, text, isLate }) => (
          <li key={key} className="flex min-h-7 items-center gap-2">
            <button
              type="button"
              className="min-w-0 truncate text-left hover:underline"
              onClick={() => onOpen(taskId)}
            >
              {title}
            </button>
            <span
              className={`flex-none text-xs tabular ${isLate ? 'text-signal-ink' : 'text-ink-3'}`}
            >
              {text}
            </span>
          </li>
        ))}
      </ul>
      {changes.length > most && (
        <p className="text-xs text-ink-3">and {changes.length - most} more</p>
      )}
    </section>
  )
}

/** The changes of a run: late tasks first, then moved blocks, then new ones. */
function changesOf({ blocks, atRisk }: FullPlannerRun, zone: Zone, now: Date) {
  const when = (date: Date) => formatWhen(date, zone, now)
  const titles = new Map(
    [...blocks.unchanged, ...blocks.moved, ...blocks.added].map(({ taskId, title }) => [
      taskId,
      title,
    ]),
  )
  return [
    ...atRisk.flatMap(({ taskId, text }) => {
      const title = titles.get(taskId)
      return title ? [{ key: `late ${taskId}`, taskId, title, text, isLate: true }] : []
    }),
    ...blocks.moved.map(({ taskId, title, startAt, from }) => ({
      key: `move ${taskId} ${startAt.getTime()}`,
      taskId,
      title,
      text: `${when(from.startAt)} → ${when(startAt)}`,
      isLate: false,
    })),
    ...blocks.added.map(({ taskId, title, startAt }) => ({
      key: `new ${taskId} ${startAt.getTime()}`,
      taskId,
      title,
      text: `new, ${formatWhenInText(startAt, zone, now)}`,
      isLate: false,
    })),
  ]
}
