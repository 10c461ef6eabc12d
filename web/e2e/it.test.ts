// Tests of the test kit: errors while a test is arranged are reported where they occur.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { faultsInBothThemes } from './axe.ts'
import { describe, expect, it, newPerson } from './it.ts'

const refused = {
  '/api/auth/sign-up/email': '{"error":"Busy"}',
  '/api/api-keys': '{"error":"Full"}',
}

describe('a new person', () => {
  for (const [path, body] of Object.entries(refused)) {
    it(`is not created if ${path} is refused`, async ({ browser }) => {
      const service = createServer((request, response) => {
        const isRefused = request.url === path
        response.writeHead(isRefused ? 503 : 200).end(isRefused ? body : '{}')
      }).listen(0, '127.0.0.1')
      await once(service, 'listening')
      const { port } = service.address() as AddressInfo

      await expect(newPerson(browser, `http://127.0.0.1:${port}`)).rejects.toThrow(
        `POST ${path} answered 503: ${body}`,
      )
      service.close()
    })
  }
})

describe('axe', () => {
  const pageOf = (body: string) => `<!doctype html><html lang="en"><title>A page</title>
    <style>
      html { background: #fff; color: #000 }
      [data-theme=dark] { background: #000; color: #fff }
      [data-theme=dark] .pale { color: #222 }
    </style>
    <main><h1>Words</h1>${body}</main></html>`

  it('finds nothing on a correct page', async ({ browser }) => {
    const page = await browser.newPage()
    await page.setContent(pageOf('<label>Name <input></label>'))
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.close()
  })

  it('finds a field without a name, and low contrast in the dark theme', async ({ browser }) => {
    const page = await browser.newPage()
    await page.setContent(pageOf('<input><p class="pale">Pale</p>'))
    expect(await faultsInBothThemes(page)).toMatchObject([
      expect.stringMatching(/^light: label: <input>/),
      expect.stringMatching(/^dark: color-contrast: <p class="pale">/),
    ])
    await page.close()
  })
})
