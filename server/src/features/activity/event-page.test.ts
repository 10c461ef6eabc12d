import { createClient } from '@daywright/client'
import { describe, expect, it as base, type Person } from '../../../test/it.ts'

const it = base.extend('baseUrl', { scope: 'file' }, ({ app }) => app.listen({ port: 0 }))

type Page = { events: { id: string }[]; next: string | null; more?: boolean }

/** Twelve changes of about 200 kB each: a page of 1 MB holds four or five. */
async function changeALot(person: Person) {
  const description = 'x'.repeat(100_000)
  const { body: task } = await person.post('/api/tasks', { title: 'Write', description })
  for (let count = 1; count < 12; count += 1) {
    await person.patch(`/api/tasks/${task.id}`, { title: `Write ${count}` })
  }
}

const idsOf = ({ events }: Page) => events.map(({ id }) => id)
const everyId = Array.from({ length: 12 }, (_, index) => `${index + 1}-1`)

describe('a page of events', () => {
  it('GET /api/changes: has at most 1 MB, and `more` is true if events are left', async ({
    ada,
  }) => {
    await changeALot(ada)
    const seen: string[] = []
    const sizes: number[] = []
    for (let since = '0-0', more = true; more;) {
      const { body } = await ada.get(`/api/changes?since=${since}&limit=1000`)
      seen.push(...idsOf(body))
      sizes.push(JSON.stringify(body).length)
      ;({ next: since, more } = body)
    }

    expect(seen).toEqual(everyId)
    expect(sizes.length).toBeGreaterThan(2)
    expect(Math.max(...sizes)).toBeLessThan(1_050_000)
  })

  it('GET /api/history: has at most 1 MB, and `next` leads to the rest', async ({ ada }) => {
    await changeALot(ada)
    const seen: string[] = []
    for (let before: string | null = '999-1'; before;) {
      const { body } = await ada.get(`/api/history?before=${before}&limit=100`)
      seen.push(...idsOf(body))
      expect(JSON.stringify(body).length).toBeLessThan(1_050_000)
      before = body.next
    }

    expect(seen).toEqual(everyId.toReversed())
  })

  it('has one event if that alone is larger', async ({ ada, db }) => {
    await ada.post('/api/labels', { name: 'a' })
    await ada.post('/api/labels', { name: 'b' })
    await db.pool.query('update events set bytes = 2000000 where user_id = $1', [ada.id])

    const { body: first } = await ada.get('/api/changes')
    const { body: second } = await ada.get(`/api/changes?since=${first.next}`)

    expect(first).toMatchObject({ events: [{ id: '1-1' }], next: '1-1', more: true })
    expect(second).toMatchObject({ events: [{ id: '2-1' }], next: '2-1', more: false })
    expect((await ada.get('/api/history')).body).toMatchObject({
      events: [{ id: '2-1' }],
      next: '2-1',
    })
  })

  it('is followed by the next page in the client and on a stream', async ({ ada, baseUrl }) => {
    await changeALot(ada)
    const { changes, events } = createClient({ baseUrl, apiKey: ada.key })
    const followed: string[] = []
    for await (const { id } of events.follow('0-0')) {
      if (followed.push(id) === everyId.length) break
    }

    const all = (await Array.fromAsync(changes.all('0-0'))).map(({ id }) => id)

    expect(all).toEqual(everyId)
    expect(followed).toEqual(everyId)
  })
})
