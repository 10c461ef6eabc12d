import { type SubmitEvent, useState } from 'react'
import { placeBlock, type Place } from '../data/actions/blocks.ts'
import { createTask } from '../data/actions/tasks.ts'
import { perform } from '../data/perform.ts'
import { minutesBetween, type Zone } from '../time/zone.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { formatRange } from './words.ts'

type Props = { place: Place; zone: Zone; onClose: () => void }

/** Creates a task at a time selected on the calendar. */
export default function CreateHere({ place, zone, onClose }: Props) {
  const [title, setTitle] = useState('')

  async function create(event: SubmitEvent) {
    event.preventDefault()
    if (title.trim() === '') return
    onClose()
    const minutes = Math.min(960, Math.round(minutesBetween(place.startAt, place.endAt)))
    const task = createTask({ title: title.trim(), estimateMinutes: minutes })
    const made = await perform({ ...task, says: '' })
    if (!made.ok) return
    await perform(
      placeBlock(made.answer, place, `“${made.answer.title}” is at ${formatRange(place, zone)}.`),
    )
  }

  return (
    <Dialog title="New task" isTitleHidden isOpen onClose={onClose}>
      <form onSubmit={(event) => void create(event)}>
        <input
          autoFocus
          aria-label="Task"
          className="h-14 w-full bg-transparent px-4 text-lg outline-none"
          placeholder="What is it?"
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
        <div className="flex items-center gap-2 border-t px-3 py-2.5">
          <span className="flex-1 pl-1 text-ink-2 tabular">{formatRange(place, zone)}</span>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="primary" disabled={title.trim() === ''}>
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
