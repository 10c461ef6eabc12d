// Sign-up, sign-in and sign-out, each once as intended, since random requests rarely get that far.
import { plantedPassword } from '../kit/secrets.ts'
import type { Answer } from './connection.ts'

type Ask = (name: string, body: object | undefined, cookie: string) => Promise<Answer | undefined>

export async function signInAndOut(ask: Ask) {
  const email = `${crypto.randomUUID()}@example.com`
  const password = `${plantedPassword} 1`
  const next = `${plantedPassword} 2`
  await ask('POST /api/auth/sign-up/email', { email, password, name: 'Someone' }, '')
  const cookie = cookieOf(await ask('POST /api/auth/sign-in/email', { email, password }, ''))
  await ask('POST /api/auth/sign-in/email', { email, password }, '')
  const current = tokensIn(await ask('GET /api/auth/get-session', undefined, cookie))
  const sessions = await ask('GET /api/auth/list-sessions', undefined, cookie)
  const other = tokensIn(sessions).find((token) => !current.includes(token))
  await ask('POST /api/auth/revoke-session', { token: other }, cookie)
  await ask('POST /api/auth/revoke-other-sessions', undefined, cookie)
  const change = { currentPassword: password, newPassword: next }
  await ask('POST /api/auth/change-password', change, cookie)
  await ask('POST /api/auth/sign-out', undefined, cookie)
}

const tokensIn = (answer: Answer | undefined) =>
  [...(answer?.text ?? '').matchAll(/"token":"(\w+)"/g)].map(([, token = '']) => token)

const cookieOf = (answer: Answer | undefined) =>
  /daywright\.session_token=[^;]+/.exec(answer?.headers['set-cookie'] ?? '')?.[0] ?? ''
