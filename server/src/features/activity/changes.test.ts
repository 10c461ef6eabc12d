import { describe, expect, it } from '../../../test/it.ts'

describe('GET /api/changes', () => {
  it('200: every change in order, and the next cursor', async ({ ada }) => {
    const { body: label } = await ada.post('/api/labels', { name: 'home' })
    await ada.patch(`/api/labels/${label.id}`, { color: '#112233' })
    await ada.delete(`/api/labels/${label.id}`)

    const { body: first } = await ada.get('/api/changes?limit=2')
    expect(first).toMatchObject({ next: '2-1', more: true, resyncRequired: false })
    expect(first.events.map(({ type }: { type: string }) => type)).toEqual([
      'label.created',
      'label.updated',
    ])
    const { body: rest } = await ada.get(`/api/changes?since=${first.next}`)
    expect(rest).toMatchObject({ events: [{ type: 'label.deleted' }], next: '3-1', more: false })
    const { body: nothing } = await ada.get(`/api/changes?since=${rest.next}`)
    expect(nothing).toEqual({ events: [], next: '3-1', more: false, resyncRequired: false })
  })

  it('reports events that were deleted by age', async ({ ada, db }) => {
    for (const name of ['a', 'b', 'c']) await ada.post('/api/labels', { name })
    await db.pool.query('delete from events where user_id = $1 and seq < 3', [ada.id])

    expect((await ada.get('/api/changes?since=1-1')).body).toMatchObject({ resyncRequired: true })
    expect((await ada.get('/api/changes?since=2-1')).body).toMatchObject({ resyncRequired: false })
    await db.pool.query('delete from events where user_id = $1', [ada.id])
    expect((await ada.get('/api/changes?since=2-1')).body).toMatchObject({ resyncRequired: true })
    expect((await ada.get('/api/changes?since=3-1')).body).toMatchObject({ resyncRequired: false })
  })

  it('reports a cursor past the end, and returns the end', async ({ ada }) => {
    await ada.post('/api/labels', { name: 'a' })

    const { body } = await ada.get('/api/changes?since=224-1')
    expect(body).toEqual({ events: [], next: '1-999999999', more: false, resyncRequired: true })
    await ada.post('/api/labels', { name: 'b' })
    const { body: next } = await ada.get(`/api/changes?since=${body.next}`)
    expect(next).toMatchObject({ resyncRequired: false, events: [{ id: '2-1' }] })
  })

  it('shows no other user’s changes', async ({ ada, grace }) => {
    await ada.post('/api/labels', { name: 'home' })
    expect((await grace.get('/api/changes')).body.events).toEqual([])
  })

  it.for(['x', '1', '1-', '-1', '1-1-1', '99999999999999999999-1'])(
    '400: since=%s is not a cursor',
    async (since, { ada }) => {
      expect(await ada.get(`/api/changes?since=${since}`)).toMatchObject({ status: 400 })
    },
  )
})
