import type { FullTask } from '@daywright/contract'
import { changeTasks } from '../../../data/actions/change-tasks.ts'
import { perform } from '../../../data/run-mutation.ts'
import { useDraft } from '../../../ui/use-draft.ts'

export function Description({ task }: { task: FullTask }) {
  const { text, type, finish } = useDraft(task.description, (description) => {
    const change = { changes: { description }, shown: { description } }
    void perform(changeTasks([task], () => change, `Changed the description of “${task.title}”.`))
  })
  return (
    <textarea
      aria-label="Description"
      placeholder="Add a description"
      maxLength={10_000}
      className="mt-1 mb-2 ml-[19px] block field-sizing-content max-h-80 min-h-8 w-[calc(100%-19px)] resize-none rounded-control bg-transparent px-1.5 py-1 text-ink-2 outline-none hover:bg-hover focus:bg-raised focus:outline-2 focus:outline-[var(--focus)]"
      value={text}
      onChange={({ target }) => type(target.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        const isSave = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
        if (!isSave && event.key !== 'Escape') return
        // Escape saves as well: one key press must not discard the text.
        event.currentTarget.blur()
        event.preventDefault()
        event.stopPropagation()
      }}
    />
  )
}
