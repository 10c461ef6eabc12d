import type { FullDocument } from '@daywright/contract'
import { useState } from 'react'
import { updateDocument } from '../../data/actions/documents.ts'
import { fieldErrors, perform, describeFailedChange } from '../../data/run-mutation.ts'
import { TextField } from '../../ui/field.tsx'
import { useDraft } from '../../ui/use-draft.ts'

export function AddressField({ document }: { document: FullDocument }) {
  const [error, setError] = useState<string>()
  const { text, type, finish } = useDraft(document.url ?? '', (typed) => void save(typed))

  async function save(typed: string) {
    const url = typed.trim() || null
    if (url === document.url) return
    const says = url ? 'Changed the address.' : 'Removed the address.'
    const outcome = await perform(updateDocument(document, { url }, says), { isQuiet: true })
    if (outcome.ok) return
    type(typed)
    setError(fieldErrors(outcome.error).url ?? describeFailedChange(outcome.error))
  }

  return (
    <TextField
      label="Address"
      type="url"
      placeholder="https://"
      value={text}
      error={error}
      onChange={({ target }) => {
        type(target.value)
        setError(undefined)
      }}
      onBlur={finish}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
    />
  )
}
