import { Link, useNavigate } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { api, Refusal } from '../../data/api.ts'
import { fieldErrors, errorMessage } from '../../data/run-mutation.ts'
import { setSharedComputer } from '../../data/persist.ts'
import { queries } from '../../data/queries.ts'
import { browserZone } from '../../time/zone.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { textOf } from './form.ts'
import { beginSession } from './session.ts'

export function SignUpScreen() {
  const { data: state } = useQuery(queries.signUpState())
  if (state && !state.open) return <SignUpClosed />
  return (
    <AuthLayout title="Create your account" lead="Your first plan is only two minutes away.">
      <SignUpForm needsSetupToken={state?.needsSetupToken ?? false} />
      <p className="mt-6 text-ink-2">
        Have an account? <SignInLink />
      </p>
    </AuthLayout>
  )
}

const SignUpClosed = () => (
  <AuthLayout title="Sign-up is closed" lead="Ask the person who runs this service for an account.">
    <SignInLink />
  </AuthLayout>
)

const SignInLink = () => (
  <Link to="/login" className="font-medium text-ink underline underline-offset-2">
    Sign in
  </Link>
)

function SignUpForm({ needsSetupToken }: { needsSetupToken: boolean }) {
  const navigate = useNavigate()
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const faults = fieldErrors(error)

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
        ...(needsSetupToken && { setupToken: textOf(form, 'setupToken').trim() }),
      })
      setSharedComputer(false)
      await beginSession()
      await navigate({ to: '/welcome' })
    } catch (refusal) {
      setError(refusal)
      setBusy(false)
    }
  }

  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void signUp(event)}>
      <SignUpFields faults={faults} needsSetupToken={needsSetupToken} />
      {error !== undefined && Object.keys(faults).length === 0 && (
        <p role="alert" className="text-signal-ink">
          {isTaken(error) ? 'An account with this email already exists.' : errorMessage(error)}
        </p>
      )}
      <Button type="submit" look="primary" size="large" disabled={isBusy}>
        {isBusy ? 'Creating…' : 'Create account'}
      </Button>
    </form>
  )
}

type FieldsProps = { faults: ReturnType<typeof fieldErrors>; needsSetupToken: boolean }

function SignUpFields({ faults, needsSetupToken }: FieldsProps) {
  return (
    <>
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
      {needsSetupToken && (
        <TextField
          label="Setup token"
          name="setupToken"
          autoComplete="off"
          inputSize="large"
          required
          hint="Needed for the first account. You can find it in the server’s log."
          error={faults.setupToken}
        />
      )}
    </>
  )
}

const isTaken = (error: unknown) =>
  error instanceof Refusal && (error.status === 422 || error.status === 409)
