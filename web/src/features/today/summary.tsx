import { useZone, useProfile } from '../../data/profile.ts'
import { useNow } from '../../time/clock.ts'
import { formatHours, formatTime } from '../../time/format.ts'
import { wallMinutes } from '../../time/zone.ts'
import { isMissed } from '../blocks/missed.ts'
import type { Day } from './day.ts'

/** The day in one sentence. */
export function Summary({ day }: { day: Day }) {
  const zone = useZone()
  const now = useNow()
  const profile = useProfile()
  const hour = wallMinutes(now, zone) / 60
  const time = hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening'
  const open = day.blocks.filter(({ status, endAt }) => status !== 'completed' && endAt > now)
  const missed = day.blocks.filter((block) => isMissed(block, now)).length
  const last = open.at(-1)
  const parts = [
    open.length > 0
      ? `${open.length} ${open.length === 1 ? 'block' : 'blocks'} to go, ${formatHours(day.openMinutes)} of work`
      : day.blocks.length > 0
        ? `You’re past today’s plan${missed > 0 ? `, ${missed} missed` : ''}`
        : 'Nothing is planned',
    last && `done by ${formatTime(last.endAt, zone)}`,
    day.due.length > 0 && `${day.due.length} due`,
  ].filter(Boolean)
  return (
    <div>
      <h2 className="text-xl font-semibold">
        Good {time}
        {profile && `, ${profile.displayName.split(' ')[0]}`}
      </h2>
      <p className="mt-0.5 text-base text-ink-2 tabular">{parts.join(', ')}.</p>
    </div>
  )
}
