// npm run drill: the procedures of docs/operate/operations.md, with real processes.
import { join } from 'node:path'
import { describe, expect, it } from './it.ts'
import { finish, newFolder, serve } from './programs.ts'

/** A user's data, as the API shows it. */
async function readAll(at: string, key: string) {
  const get = async (path: string) => {
    const answer = await fetch(at + path, { headers: { authorization: `Bearer ${key}` } })
    expect(answer.status).toBe(200)
    return answer.json()
  }
  const paths = [
    '/api/user',
    '/api/spaces',
    '/api/labels',
    '/api/tasks?limit=100',
    '/api/documents',
  ]
  return Promise.all(paths.map(get))
}

describe('the drill', { timeout: 120_000 }, () => {
  it('backs up a running service, and restores it elsewhere', async () => {
    const old = { DAYWRIGHT_DATA: await newFolder(), RATE_LIMIT: 'off' }
    const other = { DAYWRIGHT_DATA: await newFolder(), RATE_LIMIT: 'off' }
    const file = join(await newFolder(), 'daywright.backup.gz')
    const service = serve(old)
    const at = await service.ready()
    const made = await finish(old, 'account.ts', 'create', '--email', 'ada@example.com', '--admin')
    const key = made.stdout.trim()
    for (let number = 0; number < 30; number += 1) {
      await fetch(`${at}/api/tasks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ title: `Täsk ${number}`, estimateMinutes: number }),
      })
    }
    const before = await readAll(at, key)

    const written = await finish(old, 'backup.ts', 'write', file)
    service.child.kill('SIGTERM')
    await service.exit
    const restored = await finish(other, 'backup.ts', 'restore', file)
    const successor = serve(other)

    expect([written.code, restored.code]).toEqual([0, 0])
    expect(restored.stdout.split(' ')[1]).toBe(written.stdout.split(' ')[1])
    expect(await readAll(await successor.ready(), key)).toEqual(before)
    successor.child.kill('SIGTERM')
    expect(await successor.exit).toEqual([0, null])
    expect((await finish(other, 'backup.ts', 'restore', file)).stderr).toContain('already accounts')
  })
})
