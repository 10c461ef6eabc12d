import { describe, expect, it } from 'vitest'
import { clientOf, type TextResponse } from '../test/parse-here.ts'
import { DavError, type DavRequest, deleteObject, putObject } from './index.ts'

const url = 'https://dav.example.com/ada/plan/a.ics'

function serverAnswering(...answers: TextResponse[]) {
  const sent: DavRequest[] = []
  const client = clientOf(async (request) => {
    sent.push(request)
    return answers.shift() ?? { status: 500, text: '', location: null }
  })
  return { client, sent }
}
const answer = (status: number, etag: string | null = null): TextResponse => ({
  status,
  text: '',
  location: null,
  etag,
})

describe('putObject', () => {
  it('creates an object only if there is none', async () => {
    const { client, sent } = serverAnswering(answer(201, '"1"'))
    expect(await putObject(client, url, { body: 'BEGIN', etag: null })).toEqual({
      kind: 'written',
      etag: '"1"',
    })
    expect(sent).toEqual([
      {
        method: 'PUT',
        url,
        body: 'BEGIN',
        headers: { 'content-type': 'text/calendar; charset=utf-8', 'if-none-match': '*' },
      },
    ])
  })

  it('replaces an object only if it still has the ETag', async () => {
    const { client, sent } = serverAnswering(answer(204, '"2"'))
    await putObject(client, url, { body: 'BEGIN', etag: '"1"' })
    expect(sent[0]?.headers).toMatchObject({ 'if-match': '"1"' })
  })

  it.for([409, 412])('reports a conflict for %i', async (status) => {
    const { client } = serverAnswering(answer(status))
    expect(await putObject(client, url, { body: '', etag: '"1"' })).toEqual({ kind: 'conflict' })
  })

  it.for([null, 'W/"3"'])('returns no ETag if the server answers with %s', async (etag) => {
    const { client } = serverAnswering(answer(201, etag))
    expect(await putObject(client, url, { body: '', etag: null })).toEqual({
      kind: 'written',
      etag: null,
    })
  })

  it('follows a redirect within the site, but not to another', async () => {
    const moved = { ...answer(301), location: '/ada/elsewhere/a.ics' }
    const { client, sent } = serverAnswering(moved, answer(201))
    await putObject(client, url, { body: '', etag: null })
    expect(sent[1]?.url).toBe('https://dav.example.com/ada/elsewhere/a.ics')
    const abroad = serverAnswering({ ...answer(301), location: 'https://evil.example/a.ics' })
    await expect(putObject(abroad.client, url, { body: '', etag: null })).rejects.toThrow(DavError)
    expect(abroad.sent).toHaveLength(1)
  })

  it.for([
    [401, 'unauthorized'],
    [403, 'read-only'],
    [405, 'read-only'],
    [404, 'not-found'],
    [429, 'too-many-requests'],
    [500, 'failed'],
    [507, 'failed'],
  ] as const)('fails for %i: %s', async ([status, reason]) => {
    const { client } = serverAnswering(answer(status))
    const failure = putObject(client, url, { body: '', etag: null })
    await expect(failure).rejects.toMatchObject({ reason, status })
  })
})

describe('deleteObject', () => {
  it.for([
    [200, true],
    [204, true],
    [404, true],
    [410, true],
    [409, false],
    [412, false],
  ] as const)('takes %i to mean that the object is deleted: %s', async ([status, isDeleted]) => {
    const { client, sent } = serverAnswering(answer(status))
    expect(await deleteObject(client, url, '"1"')).toBe(isDeleted)
    expect(sent[0]).toMatchObject({ method: 'DELETE', headers: { 'if-match': '"1"' } })
  })

  it('fails for 500', async () => {
    const { client } = serverAnswering(answer(500))
    await expect(deleteObject(client, url, '"1"')).rejects.toMatchObject({ reason: 'failed' })
  })
})
