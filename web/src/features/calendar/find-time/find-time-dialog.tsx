import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { bookSlot } from '../../../data/actions/book-slot.ts'
import { queries } from '../../../data/queries.ts'
import { errorMessage, perform } from '../../../data/run-mutation.ts'
import { formatMinutes } from '../../../time/format.ts'
import type { Zone } from '../../../time/zone.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Options, SelectField, TextField } from '../../../ui/field.tsx'
import { formatRange } from '../format-range.ts'
import { initialForm, lengths, maxDays, searchOf, type SlotForm } from './slot-search.ts'
import { describeCost, isCostly, type Slot } from './slot-texts.ts'

type Props = {
  today: Temporal.PlainDate
  zone: Zone
  /** Called when a slot is chosen, before the event is saved. */
  onChosen: (slot: Slot) => void
  onBooked: () => void
  onClose: () => void
}

/** Proposes times for an appointment, each with what it does to the plan. */
export default function FindTimeDialog({ today, zone, onChosen, onBooked, onClose }: Props) {
  const [title, setTitle] = useState('')
  const [form, setForm] = useState(() => initialForm(today))
  const hours = useHours()
  const search = searchOf(form, hours.windows, today, zone)

  async function book(slot: Slot) {
    onClose()
    onChosen(slot)
    const { startAt, endAt } = slot
    const named = title.trim() || 'Meeting'
    await perform(bookSlot(named, { startAt, endAt }, formatRange(slot, zone)))
    onBooked()
  }

  return (
    <Dialog title="Find a time" isOpen onClose={onClose}>
      <div className="flex flex-col gap-3 px-4 pb-3">
        <TextField
          label="Title"
          inputSize="large"
          placeholder="Meeting"
          maxLength={200}
          autoFocus
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
        <FormFields {...{ form, today, hours }} onChange={setForm} />
      </div>
      <div className="min-h-40 flex-1 overflow-y-auto border-t px-4 py-1" aria-live="polite">
        {search ? (
          <SlotList search={search} zone={zone} onBook={(slot) => void book(slot)} />
        ) : (
          <p className="py-3 text-ink-2">The last day can’t be before the first.</p>
        )}
      </div>
    </Dialog>
  )
}

/** The user's schedule in which the slot must lie; at first the default. */
function useHours() {
  const { data: settings } = useQuery(queries.settings())
  const { data: preferences = [] } = useQuery(queries.preferences())
  const [chosen, choose] = useState<string>()
  const id = chosen ?? settings?.schedulePreferenceId ?? ''
  return { id, choose, preferences, windows: preferences.find((each) => each.id === id)?.windows }
}

type FormProps = {
  form: SlotForm
  today: Temporal.PlainDate
  hours: ReturnType<typeof useHours>
  onChange: (form: SlotForm) => void
}

function FormFields({ form, today, hours, onChange }: FormProps) {
  const days = {
    type: 'date',
    inputSize: 'large',
    min: today.toString(),
    max: today.add({ days: maxDays - 1 }).toString(),
  } as const
  return (
    <div className="grid grid-cols-2 gap-3">
      <SelectField
        label="Length"
        inputSize="large"
        value={form.minutes}
        onChange={({ target }) => onChange({ ...form, minutes: Number(target.value) })}
      >
        {lengths.map((minutes) => (
          <option key={minutes} value={minutes}>
            {formatMinutes(minutes)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Hours"
        inputSize="large"
        value={hours.id}
        onChange={({ target }) => hours.choose(target.value)}
      >
        <option value="">
          {hours.preferences.length > 0 ? 'Any of my hours' : 'Working hours'}
        </option>
        <Options of={hours.preferences} />
      </SelectField>
      <TextField
        label="First day"
        {...days}
        value={form.first}
        onChange={({ target }) => onChange({ ...form, first: target.value })}
      />
      <TextField
        label="Last day"
        {...days}
        value={form.last}
        onChange={({ target }) => onChange({ ...form, last: target.value })}
      />
    </div>
  )
}

type ListProps = {
  search: NonNullable<ReturnType<typeof searchOf>>
  zone: Zone
  onBook: (slot: Slot) => void
}

function SlotList({ search, zone, onBook }: ListProps) {
  const { data, error } = useQuery(queries.slots(search))
  const { data: tasks = [] } = useQuery(queries.openTasks())
  if (error) return <p className="py-3 text-ink-2">{errorMessage(error)}</p>
  if (!data) return <p className="py-3 text-ink-2">Looking for times…</p>
  if (data.slots.length === 0) {
    return (
      <p className="py-3 text-ink-2">
        On these days and in these hours, no slot of {formatMinutes(search.minutes)} is free of
        appointments. Try a shorter length or other days.
      </p>
    )
  }
  const titles = new Map(tasks.map((task) => [task.id, task.title]))
  const titleOf = (id: string) => titles.get(id) ?? 'A task'
  return (
    <ul aria-label="Proposed times">
      {data.slots.map((slot) => {
        const when = formatRange(slot, zone)
        return (
          <li key={when} className="flex items-center gap-4 border-b py-2 last:border-b-0">
            <div className="min-w-0 flex-1">
              <p className="font-medium tabular">{when}</p>
              <p className={isCostly(slot) ? 'text-signal-ink' : 'text-ink-2'}>
                {describeCost(slot, titleOf, zone)}
              </p>
            </div>
            <Button aria-label={`Book ${when}`} onClick={() => onBook(slot)}>
              Book
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
