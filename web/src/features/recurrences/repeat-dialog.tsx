import type { Recurrence } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Action } from '../../data/action.ts'
import type { RepeatRule } from '../../data/actions/recurrences.ts'
import { useZone } from '../../data/profile.ts'
import { queries } from '../../data/queries.ts'
import { errorMessage, perform } from '../../data/run-mutation.ts'
import { formatDay } from '../../time/format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { dayCodes, dayNames } from './repeat-choices.ts'
import {
  describeWeekday,
  inputOf,
  type RepeatForm,
  ruleOf,
  type Unit,
  units,
} from './repeat-form.ts'

type Props = {
  title: string
  start: RepeatForm
  /** The actions offered for the rule; the last one is the primary button. */
  choices: { label: string; choose: (rule: RepeatRule) => Action<Recurrence> }[]
  /** An existing recurrence keeps its kind. */
  hasFixedKind?: boolean
  onClose: () => void
}

/** A form for every part of a recurrence rule, with a preview of the coming dates. */
export default function RepeatDialog({ title, start, choices, hasFixedKind, onClose }: Props) {
  const [form, setForm] = useState(start)
  const rule = inputOf(form)
  const change = (changes: Partial<RepeatForm>) => setForm({ ...form, ...changes })

  async function save(choose: (rule: RepeatRule) => Action<Recurrence>) {
    // If the service refuses, the dialog stays open with its values.
    if ((await perform(choose(rule))).ok) onClose()
  }
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <div className="flex max-h-[60vh] flex-col gap-3 overflow-y-auto px-4 pb-3">
        {!hasFixedKind && (
          <SegmentedControl
            label="Kind"
            value={form.kind}
            options={[
              { value: 'calendar', label: 'On set days' },
              { value: 'completion', label: 'After it is done' },
              { value: 'times', label: 'A number of times' },
            ]}
            onChange={(kind) => change(changedKind(form, kind))}
          />
        )}
        <HowOften {...{ form, change }} />
        <When {...{ form, change }} />
        <OwnRule {...{ form, change }} />
        <Coming rule={rule} />
      </div>
      <div className="flex justify-end gap-2 border-t px-4 py-2.5">
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        {choices.map(({ label, choose }, index) => (
          <Button
            key={label}
            look={index === choices.length - 1 ? 'primary' : 'plain'}
            onClick={() => void save(choose)}
          >
            {label}
          </Button>
        ))}
      </div>
    </Dialog>
  )
}

type PartProps = { form: RepeatForm; change: (changes: Partial<RepeatForm>) => void }

/** Adapts the form to another kind. By default a missed habit lapses, and other work waits until it is done. */
function changedKind({ unit }: RepeatForm, kind: RepeatForm['kind']): Partial<RepeatForm> {
  const isHabit = kind === 'times'
  const fits = !isHabit || unit === 'WEEKLY' || unit === 'MONTHLY'
  return {
    kind,
    unit: fits ? unit : 'WEEKLY',
    missed: isHabit ? 'lapse' : 'wait',
    ownRule: null,
  }
}

function HowOften({ form, change }: PartProps) {
  if (form.kind === 'times') {
    return (
      <div className="grid grid-cols-2 gap-3">
        <NumberField
          label="Times"
          value={form.times}
          max={31}
          onChange={(times) => change({ times, ownRule: null })}
        />
        <SelectField
          label="In each"
          inputSize="large"
          value={form.unit}
          onChange={({ target }) => change({ unit: target.value as Unit, ownRule: null })}
        >
          <option value="WEEKLY">week</option>
          <option value="MONTHLY">month</option>
        </SelectField>
      </div>
    )
  }
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <NumberField
          label={form.kind === 'completion' ? 'This long after the last one' : 'Every'}
          value={form.interval}
          max={999}
          onChange={(interval) => change({ interval, ownRule: null })}
        />
        <SelectField
          label="Unit"
          inputSize="large"
          value={form.unit}
          onChange={({ target }) => change({ unit: target.value as Unit, ownRule: null })}
        >
          {Object.entries(units).map(([unit, name]) => (
            <option key={unit} value={unit}>
              {form.interval === 1 ? name.slice(0, -1) : name}
            </option>
          ))}
        </SelectField>
      </div>
      {form.kind === 'calendar' && form.unit === 'WEEKLY' && <Weekdays {...{ form, change }} />}
      {form.kind === 'calendar' && form.unit === 'MONTHLY' && (
        <SelectField
          label="On"
          inputSize="large"
          value={form.monthly}
          onChange={({ target }) =>
            change({ monthly: target.value as RepeatForm['monthly'], ownRule: null })
          }
        >
          <option value="day">day {Temporal.PlainDate.from(form.startsOn).day}</option>
          <option value="weekday">{describeWeekday(form.startsOn)}</option>
        </SelectField>
      )}
    </>
  )
}

const Weekdays = ({ form: { days }, change }: PartProps) => (
  <div role="group" aria-label="On" className="flex gap-1">
    {dayCodes.map((code, index) => (
      <button
        key={code}
        type="button"
        aria-pressed={days.includes(code)}
        aria-label={dayNames[index]}
        className={`button h-8 flex-1 px-0 ${days.includes(code) ? 'button-primary' : 'button-plain'}`}
        onClick={() => change({ days: toggled(days, code), ownRule: null })}
      >
        {dayNames[index]?.slice(0, 2)}
      </button>
    ))}
  </div>
)

const toggled = (days: string[], code: string) =>
  days.includes(code) ? days.filter((day) => day !== code) : [...days, code]

function When({ form, change }: PartProps) {
  return (
    <div className="grid grid-cols-2 gap-3">
      <TextField
        label="From"
        type="date"
        inputSize="large"
        value={form.startsOn}
        onChange={({ target }) => target.value && change({ startsOn: target.value })}
      />
      <TextField
        label="Due at"
        hint="Leave empty for the end of the day"
        type="time"
        inputSize="large"
        value={form.dueTime}
        onChange={({ target }) => change({ dueTime: target.value })}
      />
      <TextField
        label="Preferred time"
        hint="Kept unless work would be late"
        type="time"
        inputSize="large"
        value={form.preferredTime}
        onChange={({ target }) => change({ preferredTime: target.value })}
      />
      <SelectField
        label="Ends"
        inputSize="large"
        value={form.ends}
        onChange={({ target }) => change({ ends: target.value as RepeatForm['ends'] })}
      >
        <option value="never">Never</option>
        <option value="day">On a day</option>
        <option value="count">After a number of times</option>
      </SelectField>
      {form.ends === 'day' && (
        <TextField
          label="Last day"
          type="date"
          inputSize="large"
          min={form.startsOn}
          value={form.endsOn}
          onChange={({ target }) => target.value && change({ endsOn: target.value })}
        />
      )}
      {form.ends === 'count' && (
        <NumberField
          label="Total"
          value={form.most}
          max={1000}
          onChange={(most) => change({ most })}
        />
      )}
      <div className="col-span-2">
        <SelectField
          label="If one is missed"
          inputSize="large"
          value={form.missed}
          onChange={({ target }) => change({ missed: target.value as RepeatForm['missed'] })}
        >
          <option value="lapse">Skip it</option>
          <option value="wait">Keep it open, and add the next one once it is done</option>
          <option value="pile">Keep it open, and add new ones anyway</option>
        </SelectField>
      </div>
    </div>
  )
}

/** For rules that the fields above cannot express. */
const OwnRule = ({ form, change }: PartProps) => (
  <details open={form.ownRule !== null}>
    <summary className="cursor-pointer text-xs text-ink-3">Recurrence rule</summary>
    <div className="pt-2">
      <TextField
        label="Rule (RFC 5545)"
        isLabelHidden
        maxLength={500}
        value={ruleOf(form)}
        onChange={({ target }) => change({ ownRule: target.value })}
      />
    </div>
  </details>
)

const shown = 5

function Coming({ rule }: { rule: RepeatRule }) {
  const zone = useZone()
  const { data, error } = useQuery({
    ...queries.recurrencePreview(rule),
    placeholderData: (last) => last,
  })
  return (
    <section aria-label="Upcoming dates" aria-live="polite" className="min-h-16 text-xs text-ink-2">
      {error && <p className="text-signal-ink">{errorMessage(error)}</p>}
      {!error && data && (
        <>
          <p className="font-medium">Repeats {data.words}</p>
          <p className="tabular">
            {data.next.length === 0
              ? 'No dates left.'
              : data.next
                  .slice(0, shown)
                  .map(({ dueAt }) => formatDay(dueAt, zone))
                  .join(' · ')}
          </p>
        </>
      )}
    </section>
  )
}

type NumberProps = { label: string; value: number; max: number; onChange: (value: number) => void }

function NumberField({ label, value, max, onChange }: NumberProps) {
  return (
    <TextField
      label={label}
      type="number"
      inputSize="large"
      min={1}
      max={max}
      value={value}
      onChange={({ target }) => {
        const number = Math.floor(Number(target.value))
        if (number >= 1 && number <= max) onChange(number)
      }}
    />
  )
}
