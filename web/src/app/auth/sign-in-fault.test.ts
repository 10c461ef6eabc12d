import { describe, expect, it } from 'vitest'
import { Refusal } from '../../data/api.ts'
import { signInFault } from './sign-in-fault.ts'

const origin = 'https://plan.example.com'
const refused = (status: number, error: string) =>
  signInFault(new Refusal(new Response(null, { status }), { error }), origin)

describe('signInFault', () => {
  it.each([400, 401])('%i: is a wrong email or password', (status) => {
    expect(refused(status, 'Invalid email or password')).toBe('The email or password is incorrect.')
  })

  it('403: shows the service’s own message', () => {
    expect(refused(403, 'This account is disabled')).toBe('This account is disabled.')
  })

  it('403: says what the operator must set if the origin is wrong', () => {
    expect(refused(403, 'Invalid origin')).toBe(
      'The service refused this address: Invalid origin. If you run it, set PUBLIC_URL to https://plan.example.com.',
    )
  })

  it('429, 503: are not reported as a wrong password', () => {
    expect(refused(429, 'Too many requests')).toBe('Too many requests')
    expect(refused(503, 'Starting')).toBe('Something went wrong on the server.')
  })

  it('reports that the service did not answer', () => {
    expect(signInFault(new TypeError('network'), origin)).toBe('The server did not respond.')
  })
})
