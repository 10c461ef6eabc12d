import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../data/api.ts'
import { setSharedComputer } from '../../data/persist.ts'
import { queries } from '../../data/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/field.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { textOf } from './form.ts'
import { nextPath } from './next-path.ts'
import { beginSession } from './session.ts'
import { signInFault } from './sign-in-fault.ts'

const route = getRouteApi('/login')

export function SignInScreen() {
  const { next } = route.useSearch()
  const router = useRouter()
  const [fault, setFault] = useState('')
  const [isBusy, setBusy] = useState(false)
  const { data: signUp } = useQuery(queries.signUpState())

  async function signIn(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const isShared = form.has('shared')
    setBusy(true)
    setFault('')
    try {
      await api.auth.signIn({
        email: textOf(form, 'email'),
        password: textOf(form, 'password'),
        rememberMe: !isShared,
      })
      setSharedComputer(isShared)
      await beginSession()
      router.history.push(nextPath(next))
    } catch (error) {
      setFault(signInFault(error, location.origin))
      setBusy(false)
    }
  }

  return (
    <AuthLayout title="Sign in">
      <form className="flex flex-col gap-4" onSubmit={(event) => void signIn(event)}>
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          inputSize="large"
          required
          autoFocus
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          inputSize="large"
          required
        />
        <div>
          <Checkbox name="shared" label="This is a shared computer" />
          <p className="pl-6 text-ink-2">
            Nothing is stored on it, and you are signed out when the browser closes.
          </p>
        </div>
        {fault && (
          <p role="alert" className="text-signal-ink">
            {fault}
          </p>
        )}
        <Button type="submit" look="primary" size="large" disabled={isBusy}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </Button>
      </form>
      {signUp?.open && (
        <p className="mt-6 text-ink-2">
          New here?{' '}
          <Link to="/signup" className="font-medium text-ink underline underline-offset-2">
            Create an account
          </Link>
        </p>
      )}
    </AuthLayout>
  )
}
