import type { IssuedWebhook } from '@daywright/contract'
import { useState } from 'react'
import { createWebhook } from '../../../data/actions/webhooks.ts'
import { fieldErrors, perform, describeFailedChange } from '../../../data/run-mutation.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { TextField } from '../../../ui/field.tsx'

const kinds = [
  ['task', 'Tasks'],
  ['timeBlock', 'The calendar'],
  ['plannerRun', 'Plans'],
  ['project', 'Projects'],
  ['document', 'Documents'],
  ['notification', 'Notifications'],
] as const

type Props = { onMade: (webhook: IssuedWebhook) => void; onCancel: () => void }

export function NewWebhookForm({ onMade, onCancel }: Props) {
  const [url, setUrl] = useState('')
  const [types, setTypes] = useState<string[]>([])
  const [error, setError] = useState<string>()

  async function make() {
    const action = createWebhook(url.trim(), types.length === 0 ? null : types)
    const outcome = await perform(action, { isQuiet: true })
    if (outcome.ok) onMade(outcome.answer)
    else setError(fieldErrors(outcome.error).url ?? describeFailedChange(outcome.error))
  }

  return (
    <form
      className="flex max-w-[460px] flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void make()
      }}
    >
      <TextField
        label="Address"
        type="url"
        required
        placeholder="https://example.com/daywright"
        value={url}
        error={error}
        onChange={({ target }) => setUrl(target.value)}
      />
      <fieldset>
        <legend className="mb-1.5 text-xs font-medium text-ink-2">
          Events (none selected = all)
        </legend>
        <div className="grid grid-cols-2 gap-2">
          {kinds.map(([type, label]) => (
            <Checkbox
              key={type}
              label={label}
              checked={types.includes(type)}
              onChange={({ target }) =>
                setTypes(target.checked ? [...types, type] : types.filter((each) => each !== type))
              }
            />
          ))}
        </div>
      </fieldset>
      <div className="flex gap-2">
        <Button type="submit" look="primary" disabled={url.trim() === ''}>
          Create webhook
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}
