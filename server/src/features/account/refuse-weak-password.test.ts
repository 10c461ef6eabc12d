import { describe, expect, it, signUp } from '../../../test/it.ts'
import { weaknessOf } from './refuse-weak-password.ts'

const ada = { email: 'ada.lovelace@example.com', name: 'Ada Lovelace' }

describe('weaknessOf', () => {
  it.for([
    'password',
    '12345678',
    'PassWord',
    'iloveyou',
    'ada.lovelace@example.com',
    'Ada.Lovelace',
    'adalovelace',
    'Ada Lovelace 1815!',
    'daywright',
    'Daywright2026!',
    '１２３４５６７８', // full-width digits
  ])('refuses %s', (password) => {
    expect(weaknessOf(password, ada)).toMatch(/choose another$/)
  })

  it.for([
    'correct horse battery staple',
    '7391846205',
    'daywright is where I plan',
    'ada and charles',
    'пароль от планировщика',
  ])('accepts %s', (password) => {
    expect(weaknessOf(password, ada)).toBeUndefined()
  })

  it('ignores a name without letters', () => {
    expect(weaknessOf('8461 2973', { email: '1@example.com', name: '42' })).toBeUndefined()
  })
})

describe('a weak password', () => {
  it('400: is refused at sign-up, with the reason', async ({ app }) => {
    for (const password of ['password', '12345678', 'weak@example.com']) {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/auth/sign-up/email',
        payload: { email: 'weak@example.com', password, name: 'Ada' },
      })

      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({
        error: 'Validation failed',
        details: { password: [expect.stringMatching(/choose another$/)] },
      })
    }
  })

  it('400: is refused when a password is changed', async ({ app }) => {
    const person = await signUp(app)

    for (const newPassword of ['iloveyou', person.email]) {
      expect(
        await person.post('/api/auth/change-password', {
          currentPassword: 'correct horse battery staple',
          newPassword,
        }),
      ).toEqual({
        status: 400,
        body: {
          error: 'Validation failed',
          details: { newPassword: [expect.stringMatching(/choose another$/)] },
        },
      })
    }
  })
})
