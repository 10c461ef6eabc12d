import { type SubmitEvent, useState } from 'react'
import { api } from '../../data/api.ts'
import { isSharedComputer } from '../../data/persist.ts'
import { useProfile } from '../../data/profile.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { textOf } from './form.ts'
import { resumeSession, signOut } from './session.ts'
import { signInFault } from './sign-in-fault.ts'

/** Asks the same user to sign in again after the session has ended. Typed text stays on the hidden page. */
export default function SignInAgain() {
  const email = useProfile()?.email ?? ''
  const [fault, setFault] = useState('')
  const [isBusy, setBusy] = useState(false)

  async function signIn(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    setBusy(true)
    try {
      await api.auth.signIn({
        email,
        password: textOf(new FormData(event.currentTarget), 'password'),
        rememberMe: !isSharedComputer(),
      })
      await resumeSession()
    } catch (error) {
      setFault(signInFault(error, location.origin))
      setBusy(false)
    }
  }

  return (
    <Dialog title="Your session has ended" isOpen>
      <form
        data-sign-in-again
        className="flex flex-col gap-4 px-4 pb-4"
        onSubmit={(event) => void signIn(event)}
      >
        <p className="text-ink-2">
          Sign in again as <strong className="font-medium text-ink">{email}</strong>. Nothing on
          this page is lost.
        </p>
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          inputSize="large"
          required
          autoFocus
          error={fault || undefined}
        />
        <div className="flex justify-end gap-2">
          <Button look="quiet" onClick={() => void signOut()}>
            Sign out
          </Button>
          <Button type="submit" look="primary" disabled={isBusy}>
            Sign in
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
