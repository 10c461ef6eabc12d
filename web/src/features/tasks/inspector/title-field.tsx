import type { FullTask } from '@daywright/contract'
import { rename } from '../../../data/actions/task-fields.ts'
import { perform } from '../../../data/run-mutation.ts'
import { useDraft } from '../../../ui/use-draft.ts'

/** A text area that grows with the title. */
export function TitleField({ task, isWide }: { task: FullTask; isWide: boolean }) {
  const { text, type, finish, onKeyDown } = useDraft(task.title, (title) => {
    const words = title.replaceAll(/\s+/g, ' ').trim()
    if (words !== '' && words !== task.title) void perform(rename(task, words))
  })
  return (
    <textarea
      aria-label="Title"
      rows={1}
      maxLength={500}
      className={`-mx-1.5 field-sizing-content w-full resize-none rounded-control bg-transparent px-1.5 py-0.5 font-semibold outline-none hover:bg-hover focus:bg-raised focus:outline-2 focus:outline-[var(--focus)] ${isWide ? 'text-xl' : 'text-lg'}`}
      value={text}
      onChange={({ target }) => type(target.value)}
      onBlur={finish}
      onKeyDown={onKeyDown}
    />
  )
}
