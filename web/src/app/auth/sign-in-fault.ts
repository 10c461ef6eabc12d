import { Refusal } from '../../data/api.ts'
import { errorMessage } from '../../data/run-mutation.ts'

/** Why sign-in failed. Only a 400 or 401 is reported as a wrong email or password. */
export function signInFault(error: unknown, origin: string) {
  if (!(error instanceof Refusal)) return errorMessage(error)
  if (error.status === 400 || error.status === 401) return 'The email or password is incorrect.'
  if (error.status !== 403) return errorMessage(error)
  const text = error.body.error.replace(/\.?$/, '.')
  return /origin|cross-site/i.test(text)
    ? `The service refused this address: ${text} If you run it, set PUBLIC_URL to ${origin}.`
    : text
}
