import type { FullDocument } from '@daywright/contract'
import { updateDocument } from '../../data/actions/documents.ts'
import { perform } from '../../data/run-mutation.ts'
import { useDraft } from '../../ui/use-draft.ts'

/** The title above the text. Saved on blur; an invalid title is reset. */
export function DocumentTitle({ document }: { document: FullDocument }) {
  const { text, type, finish, onKeyDown } = useDraft(document.title, (typed) => {
    const title = typed.trim()
    if (title === '' || title === document.title) return
    void perform(updateDocument(document, { title }, `Renamed to “${title}”.`))
  })

  return (
    <div className="flex-none border-b px-6 py-3">
      <input
        aria-label="Title"
        className="w-full bg-transparent text-xl font-semibold tracking-tight outline-offset-4"
        value={text}
        maxLength={500}
        onChange={({ target }) => type(target.value)}
        onBlur={finish}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}
