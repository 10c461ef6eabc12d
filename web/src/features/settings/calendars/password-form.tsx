import { type SubmitEvent, useState } from 'react'
import type { Action } from '../../../data/action.ts'
import { describeFailedChange, perform } from '../../../data/run-mutation.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'

type Props = {
  account: { username: string | null; host: string }
  change: (password: string) => Action
  onDone: () => void
}

export function PasswordForm({ account, change, onDone }: Props) {
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    const outcome = await perform(change(password), { isQuiet: true })
    if (outcome.ok) onDone()
    else setError(describeFailedChange(outcome.error))
  }

  return (
    <form
      className="mt-2 flex max-w-[460px] flex-col gap-2"
      onSubmit={(event) => void submit(event)}
    >
      <TextField
        label={`New password for ${account.username} at ${account.host}`}
        type="password"
        autoComplete="new-password"
        required
        value={password}
        error={error}
        onChange={({ target }) => setPassword(target.value)}
      />
      <div className="flex gap-2">
        <Button type="submit" look="primary" disabled={password === ''}>
          Save password
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  )
}
