import type { CalendarEvent, ListedTimeBlock } from '@daywright/contract'
import { CalendarClock, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useNow } from '../../time/clock.ts'
import type { Zone } from '../../time/zone.ts'
import { Button } from '../../ui/button.tsx'
import { canFindTime, clashesOf, clashText, findAnotherTime, isKept } from './clashes.ts'

type Props = { block: ListedTimeBlock; events: CalendarEvent[]; zone: Zone }

/** The events that a block overlaps, and a button that finds another time. */
export function ClashNotice({ block, events, zone }: Props) {
  const now = useNow()
  const [isLooking, setLooking] = useState(false)
  const clashes = clashesOf(block, events, now)
  if (clashes.length === 0) return null

  async function find() {
    setLooking(true)
    await findAnotherTime(block, zone)
    setLooking(false)
  }

  return (
    <section aria-label="Overlap" className="rounded border px-3 py-2.5">
      <ul>
        {clashes.map((event) => (
          <li key={event.id} className="flex gap-1.5 text-caution tabular">
            <TriangleAlert size={14} aria-hidden="true" className="mt-0.5 flex-none" />
            <span className="min-w-0">{clashText(event, zone)}</span>
          </li>
        ))}
      </ul>
      {!isKept(block) && <p className="mt-1 text-xs text-ink-2">The next plan moves it.</p>}
      {canFindTime(block, now) && (
        <Button className="mt-2" disabled={isLooking} onClick={() => void find()}>
          <CalendarClock size={14} aria-hidden="true" />
          {isLooking ? 'Looking…' : 'Find another time'}
        </Button>
      )}
    </section>
  )
}
