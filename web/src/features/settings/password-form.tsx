import { useState } from 'react'
import { changePassword } from '../../data/actions/access.ts'
import { perform } from '../../data/run-mutation.ts'
import { Refusal } from '../../data/api.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'

const shortest = 8

export function PasswordForm() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [error, setError] = useState<string>()

  async function save() {
    setError(undefined)
    const outcome = await perform(changePassword(current, next))
    if (outcome.ok) {
      setCurrent('')
      setNext('')
    } else if (outcome.error instanceof Refusal && outcome.error.status < 500) {
      setError('Your current password is wrong, or the new one is not allowed.')
    }
  }

  return (
    <details className="mt-8 border-t pt-5">
      <summary className="w-fit font-medium">Change password</summary>
      <form
        className="mt-3 flex max-w-[420px] flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          value={current}
          error={error}
          onChange={({ target }) => setCurrent(target.value)}
        />
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          required
          minLength={shortest}
          maxLength={128}
          hint={`At least ${shortest} characters. You are signed out everywhere else.`}
          value={next}
          onChange={({ target }) => setNext(target.value)}
        />
        <div>
          <Button type="submit" disabled={current === '' || next.length < shortest}>
            Change password
          </Button>
        </div>
      </form>
    </details>
  )
}
