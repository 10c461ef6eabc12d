import { Writable } from 'node:stream'
import { describe, expect, it } from '../../../test/it.ts'
import { buildApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { newFeedToken } from '../auth/api-key-format.ts'

describe('at LOG_LEVEL=debug', () => {
  it('logs one line per request, without its query, a key or the token of a feed', async ({
    ada,
    db,
    now,
  }) => {
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
    const { key: token } = newFeedToken(ada.id)
    const headers = { authorization: `Bearer ${ada.key}` }

    for (const url of [`/api/labels?key=${ada.key}`, `/api/labels/${ada.key}`, `/${ada.key}`]) {
      await app.inject({ url, headers })
    }

    await app.inject({ url: `/feeds/${token}.ics` })

    expect(lines.map((line) => JSON.parse(line).path)).toEqual([
      '/api/labels',
      '/api/labels/dwk_…',
      '/dwk_…',
      '/feeds/dwf_….ics',
    ])
    expect(lines.join()).not.toContain(ada.key.slice(-20))
    expect(lines.join()).not.toContain(token.slice(-20))
  })
})
