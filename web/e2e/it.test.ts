// The kit itself: what goes wrong while a test is arranged is said where it goes wrong.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, newPerson } from './it.ts'

const refused = {
  '/api/auth/sign-up/email': '{"error":"Busy"}',
  '/api/api-keys': '{"error":"Full"}',
}

describe('a new person', () => {
  for (const [path, body] of Object.entries(refused)) {
    it(`is not made where ${path} is refused`, async ({ browser, onTestFinished }) => {
      const service = createServer((request, response) => {
        const isRefused = request.url === path
        response.writeHead(isRefused ? 503 : 200).end(isRefused ? body : '{}')
      }).listen(0, '127.0.0.1')
      onTestFinished(() => void service.close())
      await once(service, 'listening')
      const { port } = service.address() as AddressInfo

      await expect(newPerson(browser, `http://127.0.0.1:${port}`)).rejects.toThrow(
        `POST ${path} answered 503: ${body}`,
      )
    })
  }
})
