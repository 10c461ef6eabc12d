import { useState } from 'react'
import type { Place } from '../../data/actions/blocks.ts'
import { formatMinutes } from '../../time/format.ts'
import { instantAt, minutesBetween, plusMinutes, type Zone, zoned } from '../../time/zone.ts'
import { SelectField, TextField } from '../../ui/field.tsx'

type Props = Place & { zone: Zone; onChange: (place: Place) => void }

const lengths = [15, 30, 45, 60, 75, 90, 120, 150, 180, 240, 300, 360, 480]

/** Day, start and length, as an alternative to dragging. Saved on blur. */
export function TimeFields({ startAt, endAt, zone, onChange }: Props) {
  const start = zoned(startAt, zone)
  // Set only while the user is typing; otherwise the fields follow the block.
  const [typedDate, setDate] = useState<string>()
  const [typedTime, setTime] = useState<string>()
  const date = typedDate ?? start.toPlainDate().toString()
  const time = typedTime ?? start.toPlainTime().toString({ smallestUnit: 'minute' })
  const minutes = Math.round(minutesBetween(startAt, endAt))

  function save(length: number) {
    if (!/^\d{4}-\d\d-\d\d$/.test(date) || !/^\d\d:\d\d$/.test(time)) return
    setDate(undefined)
    setTime(undefined)
    const { hour, minute } = Temporal.PlainTime.from(time)
    const from = instantAt(Temporal.PlainDate.from(date), hour * 60 + minute, zone)
    if (from.getTime() === startAt.getTime() && length === minutes) return
    onChange({ startAt: from, endAt: plusMinutes(from, length) })
  }

  return (
    <div className="grid grid-cols-2 gap-2 [&>:first-child]:col-span-2">
      <TextField
        label="Day"
        type="date"
        value={date}
        onChange={({ target }) => setDate(target.value)}
        onBlur={() => save(minutes)}
      />
      <TextField
        label="Start"
        type="time"
        step={300}
        value={time}
        onChange={({ target }) => setTime(target.value)}
        onBlur={() => save(minutes)}
      />
      <SelectField
        label="Length"
        value={minutes}
        onChange={({ target }) => save(Number(target.value))}
      >
        {[...new Set([minutes, ...lengths])]
          .toSorted((one, other) => one - other)
          .map((each) => (
            <option key={each} value={each}>
              {formatMinutes(each)}
            </option>
          ))}
      </SelectField>
    </div>
  )
}
