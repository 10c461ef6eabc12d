import { faultsInBothThemes } from './axe.ts'
import { describe, expect, it as base, newPerson, password } from './it.ts'

// Only the first account of a server is an admin.
const it = base.extend('first', { scope: 'file' }, async ({ browser, origin }, { onCleanup }) => {
  const first = await newPerson(browser, origin)
  onCleanup(() => first.context.close())
  return first
})

describe('people on this server', () => {
  it('the first account makes admins, and closes the door', async ({
    first: ada,
    browser,
    origin,
  }) => {
    const grace = await newPerson(browser, origin)
    await ada.open('/admin/users')
    const row = ada.page.getByRole('listitem').filter({ hasText: grace.email })
    await row.getByRole('button', { name: 'Make admin' }).click()
    await expect.poll(async () => (await grace.api.user.get()).isAdmin).toBe(true)
    expect(await faultsInBothThemes(ada.page)).toEqual([])
    await row.getByRole('button', { name: 'Take admin away' }).click()
    await row.getByRole('button', { name: 'Disable' }).click()
    await row.getByText('disabled').waitFor()
    await ada.page.getByText('Ada cannot sign in any more.').waitFor()
    const refused = await grace.context.request.post('/api/auth/sign-in/email', {
      headers: { origin },
      data: { email: grace.email, password },
    })
    expect(refused.status()).toBe(403)
    await row.getByRole('button', { name: 'Enable' }).click()
    await ada.page.getByText('Ada can sign in again.').waitFor()
    await grace.close()
  })
})
