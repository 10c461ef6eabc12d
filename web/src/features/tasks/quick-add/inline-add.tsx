import { Plus } from 'lucide-react'
import type { SubmitEvent } from 'react'
import type { NewTask } from '../../../data/actions/tasks.ts'
import { Button } from '../../../ui/button.tsx'
import { LineInput } from './line-input.tsx'
import { PastedLines } from './pasted-lines.tsx'
import { TokenChips } from './token-chips.tsx'
import { useQuickAdd } from './use-quick-add.ts'

type Props = { defaults?: Partial<NewTask>; placeholder?: string }

/** The input at the top of a list. A new task gets the values of the list's filters. */
export function InlineAdd({ defaults, placeholder = 'Add a task' }: Props) {
  const field = useQuickAdd(defaults)
  const { text, title, spans, canAdd, add, setText, takeOut } = field

  function submit(event: SubmitEvent) {
    event.preventDefault()
    void add()
  }
  return (
    <form onSubmit={submit} className="flex-none border-b">
      <div className="flex h-10 items-center gap-2.5 px-3 md:px-4">
        <Plus size={16} aria-hidden="true" className="text-ink-3" />
        <LineInput
          {...field.line}
          placeholder={placeholder}
          className="h-9 w-full bg-transparent outline-none"
          onEscape={() => {
            setText('')
            if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
          }}
        />
        {text !== '' && (
          <Button type="submit" look="primary" disabled={!canAdd}>
            Add
          </Button>
        )}
      </div>
      {spans.length > 0 && (
        <div className="px-3 pb-2.5 md:pr-4 md:pl-[42px]">
          <TokenChips title={title} spans={spans} onTakeOut={takeOut} />
        </div>
      )}
      <PastedLines field={field} />
    </form>
  )
}
