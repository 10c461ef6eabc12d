import { faultsInBothThemes } from './axe.ts'
import { describe, expect, it as base, newPerson, password, type Person, perWorker } from './it.ts'

// Only the first account of a server is an admin.
const it = base.extend<object, { first: Person }>({
  first: [
    async ({ browser, origin }, use) => {
      const first = await newPerson(browser, origin)
      await use(first)
      await first.close()
    },
    perWorker,
  ],
})

describe('users', () => {
  it('are made admins, and are disabled, by the first account', async ({
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
    await row.getByRole('button', { name: 'Remove admin' }).click()
    await row.getByRole('button', { name: 'Disable' }).click()
    await row.getByText('disabled').waitFor()
    await ada.page.getByText('Ada can no longer sign in.').waitFor()
    const refused = await grace.context.request.post('/api/auth/sign-in/email', {
      headers: { origin },
      data: { email: grace.email, password },
    })
    expect(refused.status()).toBe(403)
    await row.getByRole('button', { name: 'Enable' }).click()
    await ada.page.getByText('Ada can sign in again.').waitFor()
    await grace.close()
  })

  it('can have their background work stopped and resumed', async ({
    first: ada,
    browser,
    origin,
  }) => {
    const grace = await newPerson(browser, origin)
    await ada.open('/admin/users')
    const row = ada.page.getByRole('listitem').filter({ hasText: grace.email })
    await row.getByRole('button', { name: 'Stop background work' }).click()
    await row.getByText('background work stopped').waitFor()
    expect(await faultsInBothThemes(ada.page)).toEqual([])
    await row.getByRole('button', { name: 'Resume background work' }).click()
    await row.getByText('background work stopped').waitFor({ state: 'detached' })
    await grace.close()
  })

  it('have a usage that an admin can see', async ({ first: ada, browser, origin }) => {
    const grace = await newPerson(browser, origin)
    await grace.api.documents.create({ title: 'Brief', content: 'x'.repeat(1_234_500) })
    await ada.open('/admin/users')
    const person = ada.page.getByRole('listitem').filter({ hasText: grace.email })
    await person.getByRole('button', { name: 'Usage' }).click()

    const panel = ada.page.getByRole('complementary', { name: 'Usage of Ada' })
    const cells = (name: string) =>
      panel
        .getByRole('row')
        .filter({ has: ada.page.getByRole('rowheader', { name, exact: true }) })
        .getByRole('cell')
        .allTextContents()
    await expect.poll(() => cells('Documents')).toEqual(['1', '10,000'])
    expect(await cells('Text of documents and descriptions')).toEqual(['1.2 MB', '100 MB'])
    expect(await faultsInBothThemes(ada.page)).toEqual([])
    await ada.page.reload()
    await expect.poll(() => cells('Documents')).toEqual(['1', '10,000'])
    await ada.page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await grace.close()
  })
})
