import { faultsInBothThemes } from './axe.ts'
import type { Response } from '@playwright/test'
import { allowFaults, describe, expect, it, undo } from './it.ts'

const content = '# Goals\r\n\r\n* one\r\n+ two\r\n\r\nText  \r\nwith *odd* __marks__.\r\n'

describe('a document', () => {
  it('is created, written, saved automatically, and shown as a preview', async ({
    ada: { page, api, open },
  }) => {
    await open('/documents')
    await page.getByText('They stay exactly as you type them.').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'New' }).click()
    await expect(page.getByLabel('Title')).toBeFocused()
    await page.keyboard.type('Launch brief')
    await page.getByLabel('Title').press('Enter')
    await page.getByLabel('Text of the document').fill('')
    await page.getByLabel('Text of the document').pressSequentially('# Goals\n- [x] ship\nnext')

    await page.getByRole('heading', { name: 'Goals' }).waitFor()
    await expect
      .poll(() => api.documents.list())
      .toMatchObject([{ title: 'Launch brief', content: '# Goals\n- [x] ship\n- [ ] next' }])
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  it('takes its title from what is typed while it is created', async ({
    ada: { page, api, open },
  }) => {
    await open('/documents')
    await page.getByText('They stay exactly as you type them.').waitFor()
    const answered = Promise.withResolvers<void>()
    await page.route('**/api/documents', async (route) => {
      if (route.request().method() === 'POST') await answered.promise
      await route.continue()
    })
    await page.keyboard.press('n')
    await expect(page.getByLabel('Text', { exact: true })).toBeFocused()
    await page.keyboard.type('Trip ')
    answered.resolve()
    await expect(page.getByLabel('Title')).toBeFocused()
    await page.keyboard.type('plans')
    await page.keyboard.press('Enter')

    await expect.poll(() => api.documents.list()).toMatchObject([{ title: 'Trip plans' }])
  })

  it('is not created if the service refuses, and says so', async ({ ada: { page, open } }) => {
    await open('/documents')
    await page.route('**/api/documents', (route) =>
      route.fulfill({ status: 403, json: { error: 'You have 10000 documents already' } }),
    )
    await page.getByRole('button', { name: 'New' }).click()
    await page.getByText('You have 10000 documents already').waitFor()
    allowFaults(page, /403 .*\/api\/documents/)
  })

  it('is listed with the start of its text, and is searched in full', async ({
    ada: { page, api, open },
  }) => {
    const content = `${'word '.repeat(200)}needle`
    await api.documents.create({ title: 'Hay', content })
    await api.documents.create({ title: 'Straw', content: 'word' })
    const responses: Response[] = []
    page.on('response', (response) => {
      if (new URL(response.url()).pathname === '/api/documents') responses.push(response)
    })
    await open('/documents')
    await page.getByRole('link', { name: /Straw/ }).waitFor()
    const read = await Promise.all([...responses].map((response) => response.text()))
    expect(read.join('')).toContain('Hay')
    expect(read.join('')).not.toContain('needle')

    const find = page.getByLabel('Find in documents')
    await find.fill('needle')
    await page.getByRole('link', { name: /Straw/ }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /Hay/ }).waitFor()
    await find.fill('nowhere')
    await page.getByText('Try other words.').waitFor()
    await find.fill('')
    await page.getByRole('link', { name: /Straw/ }).waitFor()
  })

  it('is searched only in part if its text fails to load', async ({ ada: { page, api, open } }) => {
    await api.documents.create({ title: 'Hay', content: `${'word '.repeat(200)}needle` })
    await open('/documents')
    await page.getByRole('link', { name: /Hay/ }).waitFor()
    await page.route('**/api/documents', (route) =>
      route.fulfill({ status: 503, json: { error: 'Busy' } }),
    )
    await page.getByLabel('Find in documents').fill('needle')
    await page.getByText('only titles and first lines are searched').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByLabel('Find in documents').fill('word')
    await page.getByRole('link', { name: /Hay/ }).waitFor()
    allowFaults(page, /503 .*\/api\/documents/)
  })

  it('does not change text that was not edited', async ({ ada: { page, api, open } }) => {
    const { id } = await api.documents.create({ title: 'Odd', content })
    await open(`/documents/${id}`)
    const text = page.getByLabel('Text of the document')
    await text.press('Control+End')
    await text.pressSequentially('!')

    await expect.poll(async () => (await api.documents.get(id)).content).toBe(`${content}!`)
  })

  it('loses no key press, however slow rendering is', async ({ ada: { page, api, open } }) => {
    const { id } = await api.documents.create({ title: 'Fast', content: '' })
    await page.addInitScript(() => {
      // React schedules its work with messages to itself, so delaying them slows down rendering.
      globalThis.MessageChannel = class extends MessageChannel {
        constructor() {
          super()
          const { port2: port } = this
          const send = port.postMessage.bind(port)
          port.postMessage = (message: unknown) => void setTimeout(() => send(message), 40)
        }
      }
    })
    await open(`/documents/${id}`)
    const typed = Array.from({ length: 20 }, (_, n) => `line ${n}`).join('\n')
    await page.getByLabel('Text of the document').pressSequentially(typed, { delay: 15 })

    await expect.poll(async () => (await api.documents.get(id)).content).toBe(typed)
  })

  it('merges changes of two windows, and asks if both changed the same place', async ({
    ada: { page, api, open },
  }) => {
    const { id } = await api.documents.create({ title: 'Shared', content: 'one\n\ntwo\n\nthree' })
    await open(`/documents/${id}`)
    const text = page.getByLabel('Text of the document')
    await text.press('Control+End')
    await api.documents.update(id, { content: 'ONE\n\ntwo\n\nthree' })
    await text.pressSequentially('!')
    await expect
      .poll(async () => (await api.documents.get(id)).content)
      .toBe('ONE\n\ntwo\n\nthree!')

    // Both windows edit the end before either has received the other's change.
    await page.route('**/api/events', (route) => route.abort())
    const theirs = Promise.withResolvers<void>()
    await page.route(`**/api/documents/${id}`, async (route) => {
      await theirs.promise
      await route.continue()
    })
    await text.pressSequentially(' mine')
    await api.documents.update(id, { content: 'ONE\n\ntwo\n\nthree! theirs' })
    theirs.resolve()
    allowFaults(page, /\/api\/events/, /409 .*\/api\/documents/)
    await page.getByText('Changed elsewhere while you were writing here.').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Keep both' }).click()
    await expect
      .poll(async () => (await api.documents.get(id)).content)
      .toBe('ONE\n\ntwo\n\nthree! mine\n\n---\n\nONE\n\ntwo\n\nthree! theirs')
  })

  it('gets its former title back by undo, although the text has changed since', async ({
    ada: { page, api, open },
  }) => {
    const { id } = await api.documents.create({ title: 'Brief', content: 'one' })
    await open(`/documents/${id}`)
    await page.getByRole('textbox', { name: 'Title' }).fill('Letter')
    await page.keyboard.press('Enter')
    await page.getByText('Renamed to “Letter”.').waitFor()
    await page.getByLabel('Text of the document').press('Control+End')
    await page.getByLabel('Text of the document').pressSequentially(' two')
    await expect.poll(async () => (await api.documents.get(id)).content).toBe('one two')
    await page.getByLabel('Text of the document').blur() // the text field has its own undo
    await page.keyboard.press('Control+z')
    await expect
      .poll(async () => {
        const { title, content } = await api.documents.get(id)
        return [title, content]
      })
      .toEqual(['Brief', 'one two'])
  })

  it('is linked to a project and to tasks, deleted, and restored', async ({
    ada: { page, api, open },
  }) => {
    const { id } = await api.documents.create({ title: 'Brief', content: 'Words' })
    const project = await api.projects.create({ name: 'Atlas' })
    const task = await api.tasks.create({ title: 'Write the report' })
    await open(`/documents/${id}?details=true`)
    await page.getByRole('combobox', { name: 'Project' }).selectOption('Atlas')
    await page.getByRole('searchbox', { name: 'Tasks' }).fill('report')
    await page.getByRole('button', { name: 'Write the report' }).click()
    await page.getByRole('button', { name: 'Unlink “Write the report”' }).waitFor()
    await expect
      .poll(() => api.documents.get(id))
      .toMatchObject({ projectId: project.id, tasks: [{ taskId: task.id }] })
    expect(await faultsInBothThemes(page)).toEqual([])

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/documents')
    await undo(page, 'Deleted “Brief”')
    await page.getByRole('link', { name: /Brief/ }).waitFor()
  })

  it('keeps text written while the service was unreachable', async ({
    ada: { page, context, api, open },
  }) => {
    const { id } = await api.documents.create({ title: 'Offline', content: 'one' })
    await open(`/documents/${id}`)
    await page.getByLabel('Text of the document').press('Control+End')
    await context.setOffline(true)
    await page.getByLabel('Text of the document').pressSequentially(' two')
    await page.getByText('Not saved yet').waitFor()
    await context.setOffline(false)

    await expect.poll(async () => (await api.documents.get(id)).content).toBe('one two')
    allowFaults(page, /ERR_INTERNET_DISCONNECTED/)
  })

  it('that was deleted is told apart from one that fails to load', async ({
    ada: { page, api, open },
  }) => {
    const { id } = await api.documents.create({ title: 'Brief' })
    await page.route(`**/api/documents/${id}`, (route) =>
      route.fulfill({ status: 503, json: { error: 'Service unavailable' } }),
    )
    await open(`/documents/${id}`)
    await page.getByText('The document could not be loaded').waitFor()
    await page.unroute(`**/api/documents/${id}`)
    await api.documents.delete(id)

    await open(`/documents/${id}`)

    await page.getByText('This document no longer exists').waitFor()
    allowFaults(page, /(503|404) .*\/api\/documents\//)
  })

  it('can be read on a phone', async ({ phone: { page, api, open } }) => {
    const { id } = await api.documents.create({ title: 'Brief', content: '# Goals' })
    await open(`/documents/${id}`)
    await page.getByRole('button', { name: 'Preview', exact: true }).tap()
    await page.getByRole('heading', { name: 'Goals' }).waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
  })
})
