import type { ListedTimeBlock } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useZone } from '../../data/profile.ts'
import { queries } from '../../data/queries.ts'
import { useNow } from '../../time/clock.ts'
import { formatWhen } from '../../time/format.ts'
import { Button } from '../../ui/button.tsx'
import { setDevice, useDevice } from '../../ui/device.ts'
import { planChangesOf } from './plan-changes.ts'

const most = 5

type Props = {
  /** The blocks of the coming weeks. */
  blocks: ListedTimeBlock[]
  onOpen: (taskId: string) => void
}

/** What the last automatic plan changed, until it is accepted. */
export function Overnight({ blocks, onOpen }: Props) {
  const zone = useZone()
  const now = useNow()
  const { seenRun } = useDevice()
  const { data: run } = useQuery(queries.automaticRun())
  const { data: listed } = useQuery(queries.runs())
  if (!run || !listed || run.id === seenRun) return undefined
  const changes = planChangesOf({ run, runs: listed.runs, blocks, zone, now })
  if (changes.length === 0) return undefined
  const counts = (['moved', 'new', 'late'] as const)
    .map((kind) => ({ kind, count: changes.filter((change) => change.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${kind}`)
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
        {changes.slice(0, most).map(({ key, kind, taskId, title, text }) => (
          // A long text goes below the title, which keeps its place.
          <li key={key} className="flex flex-wrap items-baseline gap-x-2 py-1">
            <button
              type="button"
              className="line-clamp-2 text-left wrap-anywhere hover:underline"
              onClick={() => onOpen(taskId)}
            >
              {title}
            </button>
            <span
              className={`text-xs tabular ${kind === 'late' ? 'text-signal-ink' : 'text-ink-3'}`}
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
