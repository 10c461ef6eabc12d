import { useNow } from '../../time/clock.ts'
import { formatTime } from '../../time/format.ts'
import { dayOf, wallMinutes, type Zone } from '../../time/zone.ts'

type Props = { days: Temporal.PlainDate[]; zone: Zone }

/** The current time: a line through today, and the hour in the gutter. */
export function NowLine({ days, zone }: Props) {
  const now = useNow()
  const today = dayOf(now, zone)
  const index = days.findIndex((day) => day.equals(today))
  if (index === -1) return null
  const top = `calc(var(--hour) * ${wallMinutes(now, zone) / 60})`
  return (
    <>
      <div className="now-time tabular" style={{ top }}>
        {formatTime(now, zone)}
      </div>
      <div
        className="now-line"
        style={{
          top,
          left: `calc(${index} * (100% - 52px) / ${days.length} + 52px)`,
          width: `calc((100% - 52px) / ${days.length})`,
        }}
      />
    </>
  )
}
