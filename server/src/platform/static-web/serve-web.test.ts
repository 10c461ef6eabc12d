import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readWebFiles } from './files.ts'
import { serveWeb } from './serve-web.ts'

async function serveFiles(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'daywright-web-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'assets'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const app = Fastify()
  serveWeb(app, readWebFiles(`${folder}/`))
  return app
}

const built = {
  'index.html': '<!doctype html>',
  'assets/index-abc.js': 'script',
  'assets/index-abc.js.br': 'brotli',
}

describe('GET /*', () => {
  it('200: the page at every path of the app, under a strict policy', async () => {
    const app = await serveFiles(built)
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    for (const url of ['/', '/calendar?w=2026-11-16', '/tasks/1']) {
      const { statusCode, body, headers } = await app.inject({ url, headers: { accept } })
      expect({ statusCode, body }).toEqual({ statusCode: 200, body: '<!doctype html>' })
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(headers['cache-control']).toBe('no-cache')
      expect(headers['content-security-policy']).toContain("script-src 'self';")
      expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'")
    }
  })

  it.for(['application/json', '*/*', undefined])(
    'for a program that accepts %s: 404 at every path but the files, and 200 at /',
    async (accept) => {
      const app = await serveFiles(built)
      const statusOf = async (url: string) =>
        (await app.inject({ url, headers: accept === undefined ? {} : { accept } })).statusCode
      expect(await statusOf('/v1/tasks')).toBe(404)
      expect(await statusOf('/API/tasks')).toBe(404)
      expect(await statusOf('/')).toBe(200)
      expect(await statusOf('/assets/index-abc.js')).toBe(200)
    },
  )

  it('200: a script, compressed on request and cacheable for ever', async () => {
    const app = await serveFiles(built)
    const url = '/assets/index-abc.js'
    const plain = await app.inject({ url })
    const small = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } })
    expect(plain.body).toBe('script')
    expect(small.body).toBe('brotli')
    expect(small.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
  })

  it('304: for a client with the current version', async () => {
    const app = await serveFiles(built)
    const { headers } = await app.inject({ url: '/' })
    const again = await app.inject({ url: '/', headers: { 'if-none-match': headers.etag } })
    expect(again.statusCode).toBe(304)
  })

  it('404: a missing file, and unknown paths of the service', async () => {
    const app = await serveFiles(built)
    for (const url of ['/assets/old.js', '/api/nothing', '/health/nothing', '/../package.json']) {
      const { statusCode } = await app.inject({ url })
      expect({ url, statusCode }).toEqual({ url, statusCode: 404 })
    }
  })

  it('200: a hint if the app has not been built', async () => {
    const app = await serveFiles({})
    const { statusCode, body } = await app.inject({ url: '/' })
    expect(statusCode).toBe(200)
    expect(body).toContain('npm run build')
  })
})
