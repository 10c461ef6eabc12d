import { type SubmitEvent, useState } from 'react'
import { createEvent, placeBlock, type Place } from '../../data/actions/blocks.ts'
import { createTask, type NewTask } from '../../data/actions/tasks.ts'
import { perform } from '../../data/run-mutation.ts'
import { minutesBetween, type Zone } from '../../time/zone.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { LineInput } from '../tasks/quick-add/line-input.tsx'
import { PastedLines } from '../tasks/quick-add/pasted-lines.tsx'
import { TokenChips } from '../tasks/quick-add/token-chips.tsx'
import { useQuickAdd } from '../tasks/quick-add/use-quick-add.ts'
import { formatRange } from './format-range.ts'

type Props = { place: Place; zone: Zone; onClose: () => void }

const noNames = { spaces: [], projects: [], labels: [] }

/**
 * Creates a task or an event at a time selected on the calendar. A task takes that long unless the line says
 * otherwise; every word of an event is its title.
 */
export default function CreateHere({ place, zone, onClose }: Props) {
  const minutes = Math.min(960, Math.round(minutesBetween(place.startAt, place.endAt)))
  const field = useQuickAdd({ estimateMinutes: minutes }, { create })
  const { title, spans, text, add, takeOut } = field
  const [kind, setKind] = useState<'task' | 'event'>('task')
  const eventTitle = text.trim()
  const canAdd = kind === 'event' ? eventTitle !== '' : field.canAdd

  async function create(task: NewTask) {
    const made = await perform({ ...createTask(task), says: '' })
    if (!made.ok) return false
    const says = `“${made.answer.title}” is at ${formatRange(place, zone)}.`
    return (await perform(placeBlock(made.answer, place, says))).ok
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!canAdd) return
    onClose()
    if (kind === 'task') void add()
    else {
      const says = `Added “${eventTitle}” on ${formatRange(place, zone)}.`
      void perform(createEvent(eventTitle, place, says))
    }
  }

  return (
    <Dialog title="Add to the calendar" isTitleHidden isOpen onClose={onClose}>
      <form onSubmit={submit}>
        <LineInput
          autoFocus
          {...field.line}
          {...(kind === 'event' && { spans: [], names: noNames })}
          className="h-14 w-full bg-transparent px-4 text-lg outline-none"
          placeholder="What is it?"
        />
        {kind === 'task' && spans.length > 0 && (
          <div className="px-4 pb-3">
            <TokenChips title={title} spans={spans} onTakeOut={takeOut} />
          </div>
        )}
        <div className="flex items-center gap-2 border-t px-3 py-2.5">
          <SegmentedControl
            label="Kind"
            value={kind}
            options={[
              { value: 'task', label: 'Task' },
              { value: 'event', label: 'Event' },
            ]}
            onChange={setKind}
          />
          <span className="flex-1 pl-1 text-ink-2 tabular">{formatRange(place, zone)}</span>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="primary" disabled={!canAdd}>
            Add
          </Button>
        </div>
        <PastedLines
          field={field}
          note="They are added to your tasks, and not placed on the calendar."
          onAdded={onClose}
        />
      </form>
    </Dialog>
  )
}
