import type { FullDocument } from '@daywright/contract'
import { useEffect, useRef } from 'react'
import { updateDocument } from '../../data/actions/documents.ts'
import { perform } from '../../data/run-mutation.ts'
import { useDraft } from '../../ui/use-draft.ts'
import { newTitleOf, setNewTitle } from './new-title.ts'

/** The title above the text. Saved on blur; an invalid title is reset. That of a new document is ready for typing. */
export function DocumentTitle({ document }: { document: FullDocument }) {
  const { text, type, finish, onKeyDown } = useDraft(document.title, (typed) => {
    const title = typed.trim()
    if (title === '' || title === document.title) return
    void perform(updateDocument(document, { title }, `Renamed to “${title}”.`))
  })

  const input = useRef<HTMLInputElement>(null)
  const begin = useRef(type)
  useEffect(() => {
    const early = newTitleOf(document.id)
    if (early === undefined) return
    setNewTitle(undefined)
    input.current?.focus()
    if (early === '') input.current?.select()
    else begin.current(early)
  }, [document.id])

  return (
    <div className="flex-none border-b px-6 py-3">
      <input
        ref={input}
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
