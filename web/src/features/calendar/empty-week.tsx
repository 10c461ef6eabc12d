import type { ListedTimeBlock } from '@daywright/contract'
import { ArrowRight } from 'lucide-react'
import { useNow } from '../../time/clock.ts'
import { formatWhen } from '../../time/format.ts'
import type { Zone } from '../../time/zone.ts'
import { Button } from '../../ui/button.tsx'

type Props = {
  hasTasks: boolean
  upcoming: ListedTimeBlock[]
  zone: Zone
  onGoTo: (date: Date) => void
}

/** Says what is next if the week is empty. */
export function EmptyWeek({ hasTasks, upcoming, zone, onGoTo }: Props) {
  const now = useNow()
  const next = upcoming.find(({ startAt }) => startAt > now)
  return (
    <div className="pointer-events-none absolute inset-x-0 top-1/3 z-10 flex justify-center px-4">
      <div className="float pointer-events-auto flex items-center gap-3 py-2.5 pr-2.5 pl-4">
        <p className="text-ink-2">
          {next
            ? `Nothing here. “${next.title}” is next.`
            : hasTasks
              ? 'Nothing is planned yet. Press P to plan, or drag a task here.'
              : 'Nothing to schedule yet. Add a task with an estimate, then press P.'}
        </p>
        {next && (
          <Button onClick={() => onGoTo(next.startAt)}>
            {formatWhen(next.startAt, zone, now)} <ArrowRight size={14} aria-hidden="true" />
          </Button>
        )}
      </div>
    </div>
  )
}
