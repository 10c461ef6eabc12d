import type { OpenAPIV3_1 } from 'openapi-types'
import { exampleOf, operationsOf } from '../../../test/every-operation.ts'
import { describe, expect, it, unknownId } from '../../../test/it.ts'

const strict = { prefer: 'handling=strict' }

describe('Prefer: handling=strict', () => {
  it('400: names every unknown field, including nested ones', async ({ ada }) => {
    const windows = [{ day: [1], start: '09:00', end: '10:00', ende: '11:00' }]

    const answer = await ada.post('/api/schedule-preferences', { name: 'A', windows, x: 1 }, strict)

    expect(answer).toEqual({
      status: 400,
      body: {
        error: 'Validation failed',
        details: { 'windows.0.ende': ['Unknown field'], x: ['Unknown field'] },
      },
    })
    expect((await ada.get('/api/schedule-preferences')).body).toEqual([])
  })

  it('400: names unknown query parameters, and fields where no body is expected', async ({
    app,
    ada,
  }) => {
    const headers = { authorization: `Bearer ${ada.key}`, ...strict }

    const list = await app.inject({ url: '/api/tasks?sort=title&limit=5', headers })
    const labels = await app.inject({ url: '/api/labels?search=x', headers })
    const run = await ada.post('/api/planner', { horizon: 3 }, strict)

    expect(list.json()).toMatchObject({ details: { sort: ['Unknown parameter'] } })
    expect(labels.json()).toMatchObject({ details: { search: ['Unknown parameter'] } })
    expect(run.body).toMatchObject({ details: { horizon: ['Unknown field'] } })
    expect([list.statusCode, labels.statusCode, run.status]).toEqual([400, 400, 400])
  })

  it('sets Preference-Applied, also among other preferences', async ({ app, ada }) => {
    const ask = (prefer?: string) =>
      app.inject({
        url: '/api/labels',
        headers: { authorization: `Bearer ${ada.key}`, ...(prefer && { prefer }) },
      })

    const answers = [
      await ask('respond-async, Handling="strict"; wait=1'),
      await ask('handling=lenient'),
      await ask(),
    ]

    expect(answers.map(({ headers }) => headers['preference-applied'])).toEqual([
      'handling=strict',
      undefined,
      undefined,
    ])
  })

  it('ignores unknown fields and parameters without it', async ({ ada }) => {
    const created = await ada.post('/api/tasks', { title: 'Write', dueDate: '2026-03-06' })

    expect(created.status).toBe(201)
    expect((await ada.get('/api/tasks?sort=title')).status).toBe(200)
  })

  it('401: comes before the check for unknown fields', async ({ stranger }) => {
    expect((await stranger.post('/api/tasks', { titel: 'x' }, strict)).status).toBe(401)
  })

  it('accepts every parameter in OpenAPI, and every field of its examples', async ({
    app,
    ada,
  }) => {
    const document = (await app.inject('/api/openapi.json')).json<OpenAPIV3_1.Document>()
    const headers = { authorization: `Bearer ${ada.key}`, ...strict }
    const refused: unknown[] = []
    for (const operation of operationsOf(document)) {
      if (operation.path === '/api/events') continue // stays open
      const parameters = (operation.operation.parameters ?? []) as OpenAPIV3_1.ParameterObject[]
      const query = parameters.filter((one) => one.in === 'query').map(({ name }) => `${name}=x`)
      const url = `${operation.path.replaceAll(/\{\w+\}/g, unknownId)}?${query.join('&')}`
      const method = operation.method as 'POST'
      const payload = exampleOf(operation)

      const answer = await app.inject({ method, url, headers, payload })

      if (answer.body.includes('"Unknown ')) refused.push([method, url, answer.body])
    }

    expect(refused).toEqual([])
  })
})
