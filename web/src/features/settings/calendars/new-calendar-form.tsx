import type { CalendarPreview } from '@daywright/contract'
import { type SubmitEvent, useState } from 'react'
import { createCalendar } from '../../../data/actions/calendars.ts'
import { api } from '../../../data/api.ts'
import { useZone } from '../../../data/profile.ts'
import { describeFailedChange, fieldErrors, perform } from '../../../data/run-mutation.ts'
import { useNow } from '../../../time/clock.ts'
import { formatDay, formatWhen } from '../../../time/format.ts'
import { Button } from '../../../ui/button.tsx'
import { ColorField } from '../../../ui/color-field.tsx'
import { TextField } from '../../../ui/field.tsx'
import { SkippedEvents } from '../../calendars/skipped-events.tsx'

/** First the address; then a preview of the calendar, its name and its color. */
export function NewCalendarForm({ onDone }: { onDone: () => void }) {
  const [url, setUrl] = useState('')
  const [name, setName] = useState('')
  const [color, setColor] = useState('#8a8680')
  const [preview, setPreview] = useState<CalendarPreview>()
  const [isLooking, setLooking] = useState(false)
  const [error, setError] = useState<string>()

  async function look() {
    setLooking(true)
    setError(undefined)
    try {
      const found = await api.calendars.preview(url.trim())
      setPreview(found)
      setName(found.name ?? '')
    } catch (failure) {
      setError(fieldErrors(failure).url ?? describeFailedChange(failure))
    } finally {
      setLooking(false)
    }
  }

  async function add() {
    const given = name.trim() === '' ? {} : { name: name.trim() }
    const action = createCalendar({ url: url.trim(), color, ...given })
    const outcome = await perform(action, { isQuiet: true })
    if (outcome.ok) onDone()
    else setError(fieldErrors(outcome.error).url ?? describeFailedChange(outcome.error))
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    void (preview ? add() : look())
  }

  return (
    <form className="flex max-w-[460px] flex-col gap-4" onSubmit={submit}>
      <TextField
        label="Address"
        required
        placeholder="https://calendar.example.com/private.ics"
        hint="In Google, Outlook or iCloud, copy the secret or public address in iCal format."
        value={url}
        error={error}
        onChange={({ target }) => {
          setUrl(target.value)
          setPreview(undefined)
        }}
      />
      {preview && (
        <>
          <Preview preview={preview} />
          <TextField label="Name" value={name} onChange={({ target }) => setName(target.value)} />
          <ColorField label="Color" value={color} onChange={setColor} />
        </>
      )}
      <div className="flex gap-2">
        <Button type="submit" look="primary" disabled={url.trim() === '' || isLooking}>
          {preview ? 'Add calendar' : isLooking ? 'Looking…' : 'Continue'}
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  )
}

function Preview({ preview }: { preview: CalendarPreview }) {
  const zone = useZone()
  const now = useNow()
  const { eventCount, next } = preview
  return (
    <section aria-label="Preview" className="rounded border p-3">
      <p className="font-medium">
        {eventCount === 1 ? '1 event' : `${eventCount} events`} from last month to six months ahead
      </p>
      <ul className="mt-1 text-ink-2">
        {next.map(({ title, startAt, allDay }) => (
          <li key={`${title} ${startAt.getTime()}`} className="truncate">
            {allDay ? formatDay(startAt, zone) : formatWhen(startAt, zone, now)} · {title}
          </li>
        ))}
      </ul>
      <SkippedEvents {...preview} />
    </section>
  )
}
