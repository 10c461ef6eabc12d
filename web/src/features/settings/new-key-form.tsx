import type { IssuedApiKey, Scope } from '@daywright/contract'
import { useState } from 'react'
import { issueKey } from '../../data/actions/access.ts'
import { fieldErrors, perform } from '../../data/run-mutation.ts'
import { useZone } from '../../data/profile.ts'
import { dayOf, startOfDay } from '../../time/zone.ts'
import { now } from '../../time/clock.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'

const rights: { scope: Scope; label: string; hint: string }[] = [
  { scope: 'read', label: 'Read', hint: 'See everything in your account' },
  { scope: 'write', label: 'Change', hint: 'Tasks, projects, documents, the calendar' },
  { scope: 'planner', label: 'Plan', hint: 'Run the planner, apply and undo its plans' },
  { scope: 'webhooks', label: 'Webhooks', hint: 'Send changes to a URL; also needs Read' },
]

type Props = { onIssued: (key: IssuedApiKey) => void; onCancel: () => void }

export function NewKeyForm({ onIssued, onCancel }: Props) {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<Scope[]>(['read'])
  const [days, setDays] = useState('90')
  const [errors, setErrors] = useState<Record<string, string | undefined>>({})
  const zone = useZone()

  async function issue() {
    const end = startOfDay(dayOf(now(), zone).add({ days: Number(days) + 1 }), zone)
    const expiresAt = days === '' ? null : end.toISOString()
    const outcome = await perform(issueKey({ name: name.trim(), scopes, expiresAt }))
    if (outcome.ok) onIssued(outcome.answer)
    else setErrors(fieldErrors(outcome.error))
  }

  return (
    <form
      className="flex max-w-[460px] flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void issue()
      }}
    >
      <TextField
        label="What is it for?"
        placeholder="Backup script"
        maxLength={100}
        value={name}
        error={errors.name}
        onChange={({ target }) => setName(target.value)}
      />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1.5 text-xs font-medium text-ink-2">Permissions</legend>
        {rights.map(({ scope, label, hint }) => (
          <div key={scope} className="flex flex-wrap items-baseline gap-x-2">
            <Checkbox
              label={label}
              checked={scopes.includes(scope)}
              onChange={({ target }) =>
                setScopes(
                  target.checked ? [...scopes, scope] : scopes.filter((each) => each !== scope),
                )
              }
            />
            <span className="text-xs text-ink-3">{hint}</span>
          </div>
        ))}
      </fieldset>
      <SelectField
        label="Expires after"
        value={days}
        onChange={({ target }) => setDays(target.value)}
      >
        <option value="7">A week</option>
        <option value="30">30 days</option>
        <option value="90">90 days</option>
        <option value="365">A year</option>
        <option value="">Never</option>
      </SelectField>
      <div className="flex gap-2">
        <Button type="submit" look="primary" disabled={name.trim() === '' || scopes.length === 0}>
          Create key
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}
