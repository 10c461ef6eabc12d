import { Writable } from 'node:stream'
import { describe, expect, it } from '../../../test/it.ts'
import { buildApp } from '../../app.ts'
import { readConfig } from '../../config.ts'

describe('at LOG_LEVEL=debug', () => {
  it('logs one line per request, without its query or a key', async ({ ada, db, now }) => {
    const lines: string[] = []
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk))
        done()
      },
    })
    const app = await buildApp({
      db,
      now: () => now,
      config: readConfig({ RATE_LIMIT: 'off' }),
      lifecycle: { phase: 'serving' },
      options: { logger: { level: 'debug', stream } },
    })
    const headers = { authorization: `Bearer ${ada.key}` }

    for (const url of [`/api/labels?key=${ada.key}`, `/api/labels/${ada.key}`, `/${ada.key}`]) {
      await app.inject({ url, headers })
    }

    expect(lines.map((line) => JSON.parse(line).path)).toEqual([
      '/api/labels',
      '/api/labels/dwk_…',
      '/dwk_…',
    ])
    expect(lines.join()).not.toContain(ada.key.slice(-20))
  })
})
