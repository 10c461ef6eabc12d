import { type SubmitEvent, useState } from 'react'
import { now } from '../../../time/clock.ts'
import { formatDay } from '../../../time/format.ts'
import { useZone } from '../../../data/profile.ts'
import { dayOf, instantAt, mondayOf, zoned, type Zone } from '../../../time/zone.ts'
import { Button } from '../../../ui/button.tsx'

type Props = {
  value: Date | null
  /** The time of day, in minutes, for a day that is picked without a time. */
  minutes: number
  onPick: (date: Date | null) => void
}

/** Common days as a list, and any other by the platform's date and time inputs. */
export function DatePicker({ value, minutes, onPick }: Props) {
  const zone = useZone()
  const wall = value && zoned(value, zone)
  const [day, setDay] = useState(wall?.toPlainDate().toString() ?? '')
  const [time, setTime] = useState(
    wall?.toPlainTime().toString({ smallestUnit: 'minute' }) ?? clockOf(minutes),
  )

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (day === '') return onPick(null)
    const [hours = 0, rest = 0] = time.split(':').map(Number)
    onPick(instantAt(Temporal.PlainDate.from(day), hours * 60 + rest, zone))
  }

  return (
    <form onSubmit={submit} className="w-72 p-1">
      {presets(zone).map(({ name, date }) => (
        <button
          key={name}
          type="button"
          className="menu-item w-full hover:bg-hover focus-visible:bg-hover"
          onClick={() => onPick(instantAt(date, minutes, zone))}
        >
          <span className="flex-1 text-left">{name}</span>
          <span className="text-xs text-ink-3">
            {formatDay(instantAt(date, minutes, zone), zone)}
          </span>
        </button>
      ))}
      <div className="mt-1 flex gap-1 border-t px-1 pt-2">
        <input
          type="date"
          aria-label="Day"
          autoFocus
          className="input tabular min-w-0"
          value={day}
          onChange={({ target }) => setDay(target.value)}
        />
        <input
          type="time"
          aria-label="Time"
          className="input tabular w-[118px] flex-none"
          value={time}
          onChange={({ target }) => setTime(target.value)}
        />
      </div>
      <div className="flex justify-between gap-1 px-1 pt-2 pb-1">
        <Button look="quiet" onClick={() => onPick(null)} disabled={value === null}>
          No date
        </Button>
        <Button type="submit" look="primary">
          Save
        </Button>
      </div>
    </form>
  )
}

function presets(zone: Zone) {
  const today = dayOf(now(), zone)
  const friday = mondayOf(today).add({ days: 4 })
  return [
    { name: 'Today', date: today },
    { name: 'Tomorrow', date: today.add({ days: 1 }) },
    ...(today.until(friday).days > 1 ? [{ name: 'This Friday', date: friday }] : []),
    { name: 'Next Monday', date: mondayOf(today).add({ days: 7 }) },
    { name: 'In two weeks', date: today.add({ days: 14 }) },
  ]
}

const clockOf = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
