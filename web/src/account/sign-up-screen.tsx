import { Link, useNavigate } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { api, Refusal } from '../data/api.ts'
import { fieldErrors, errorMessage } from '../data/perform.ts'
import { setSharedComputer } from '../data/persist.ts'
import { queries } from '../data/queries.ts'
import { browserZone } from '../time/zone.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { AuthLayout } from './door.tsx'
import { textOf } from './form.ts'
import { beginSession } from './session.ts'

export function SignUpScreen() {
  const navigate = useNavigate()
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const faults = fieldErrors(error)
  const { data: state } = useQuery(queries.signUpState())

  async function signUp(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    setError(undefined)
    try {
      await api.auth.signUp({
        name: textOf(form, 'name'),
        email: textOf(form, 'email'),
        password: textOf(form, 'password'),
        timezone: browserZone(),
        ...(state?.needsSetupToken && { setupToken: textOf(form, 'setupToken').trim() }),
      })
      setSharedComputer(false)
      await beginSession()
      await navigate({ to: '/welcome' })
    } catch (refusal) {
      setError(refusal)
      setBusy(false)
    }
  }

  if (state && !state.open) {
    return (
      <AuthLayout
        title="Sign-up is closed"
        lead="Ask the person who runs this service for an account."
      >
        <Link to="/login" className="font-medium text-ink underline underline-offset-2">
          Sign in
        </Link>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title="Create your account" lead="Two minutes from here to your first plan.">
      <form className="flex flex-col gap-4" onSubmit={(event) => void signUp(event)}>
        <TextField
          label="Your name"
          name="name"
          autoComplete="name"
          inputSize="large"
          required
          autoFocus
          error={faults.name}
        />
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          inputSize="large"
          required
          error={faults.email}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          inputSize="large"
          minLength={8}
          required
          hint="At least 8 characters."
          error={faults.password}
        />
        {state?.needsSetupToken && (
          <TextField
            label="Setup token"
            name="setupToken"
            autoComplete="off"
            inputSize="large"
            required
            hint="For the first account. The service writes it to its log when it starts."
            error={faults.setupToken}
          />
        )}
        {error !== undefined && Object.keys(faults).length === 0 && (
          <p role="alert" className="text-signal-ink">
            {isTaken(error) ? 'An account with this email already exists.' : errorMessage(error)}
          </p>
        )}
        <Button type="submit" look="primary" size="large" disabled={isBusy}>
          {isBusy ? 'Creating…' : 'Create account'}
        </Button>
      </form>
      <p className="mt-6 text-ink-2">
        Have an account?{' '}
        <Link to="/login" className="font-medium text-ink underline underline-offset-2">
          Sign in
        </Link>
      </p>
    </AuthLayout>
  )
}

const isTaken = (error: unknown) =>
  error instanceof Refusal && (error.status === 422 || error.status === 409)
