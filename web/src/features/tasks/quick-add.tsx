import { type SubmitEvent, useLayoutEffect } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LineInput } from './quick-add/line-input.tsx'
import { PastedLines } from './quick-add/pasted-lines.tsx'
import { TokenChips } from './quick-add/token-chips.tsx'
import { useQuickAdd } from './quick-add/use-quick-add.ts'
import './tasks.css'

type Props = {
  /** Returns what was typed before this component was loaded. */
  typed: () => string
  onClose: () => void
}

/** Adds a task or an event from one line, on any screen. */
export default function QuickAdd({ typed, onClose }: Props) {
  const field = useQuickAdd({}, { makesEvents: true })
  const { title, spans, isEvent, canAdd, add, setText, takeOut } = field
  // Read when the dialog is shown, not when it is rendered: the user may type in between.
  useLayoutEffect(() => setText(typed()), [setText, typed])

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    // If the service refuses, the dialog stays open with its text.
    if (await add()) onClose()
  }

  return (
    <Dialog title="Add a task" isTitleHidden isOpen onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <LineInput
          autoFocus
          {...field.line}
          placeholder="Send the contract fri 5pm ~45m !high"
          className="h-16 w-full bg-transparent px-4 text-lg outline-none"
        />
        {spans.length > 0 && (
          <div className="px-4 pb-3">
            <TokenChips title={title} spans={spans} isEvent={isEvent} onTakeOut={takeOut} />
          </div>
        )}
        <div className="flex items-center gap-2 border-t px-4 py-2.5">
          <p className="flex-1 text-xs text-ink-3 max-md:hidden">
            A date is the due date, <b className="font-medium text-ink-2">~45m</b> the length,{' '}
            <b className="font-medium text-ink-2">!high</b> the priority,{' '}
            <b className="font-medium text-ink-2">#space</b>,{' '}
            <b className="font-medium text-ink-2">@label</b>
          </p>
          <div className="ml-auto flex gap-2">
            <Button look="quiet" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" look="primary" disabled={!canAdd}>
              {isEvent ? 'Add event' : 'Add task'}
            </Button>
          </div>
        </div>
        <PastedLines field={field} onAdded={onClose} />
      </form>
    </Dialog>
  )
}
