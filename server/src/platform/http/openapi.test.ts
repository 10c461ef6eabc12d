import { randomUUID } from 'node:crypto'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { OpenAPIV3_1 } from 'openapi-types'
import { describe, expect, it as base, testApp } from '../../../test/it.ts'

type Answer = { description: string; content?: Record<string, { example?: unknown }> }

const it = base.extend('document', { scope: 'file' }, async ({ app }) => {
  const { body } = await app.inject('/api/openapi.json')
  return JSON.parse(body) as OpenAPIV3_1.Document
})

const operationsOf = (document: OpenAPIV3_1.Document) =>
  Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods ?? {}).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation: operation as OpenAPIV3_1.OperationObject,
    })),
  )

describe('GET /api/openapi.json', () => {
  it('200: a valid document', async ({ document }) => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))

    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  it('has every operation of the contract', ({ document }) => {
    const names = operationsOf(document).map(({ name }) => name)

    expect(names).toEqual(
      expect.arrayContaining([
        'GET /api/tasks',
        'POST /api/tasks',
        'GET /api/tasks/{id}',
        'PATCH /api/tasks/{id}',
        'DELETE /api/tasks/{id}',
        'POST /api/tasks/batch',
        'GET /api/tasks/{id}/dependencies',
        'POST /api/tasks/{id}/dependencies',
        'DELETE /api/tasks/{id}/dependencies/{dependsOnTaskId}',
        'POST /api/tasks/{id}/documents',
        'DELETE /api/tasks/{id}/documents/{documentId}',
        'POST /api/checklist-items',
        'PATCH /api/checklist-items/{id}',
        'DELETE /api/checklist-items/{id}',
        ...['projects', 'documents'].flatMap((name) => [
          `GET /api/${name}`,
          `POST /api/${name}`,
          `GET /api/${name}/{id}`,
          `PATCH /api/${name}/{id}`,
          `DELETE /api/${name}/{id}`,
        ]),
        ...['labels', 'spaces', 'schedule-preferences'].flatMap((name) => [
          `GET /api/${name}`,
          `POST /api/${name}`,
          `PATCH /api/${name}/{id}`,
          `DELETE /api/${name}/{id}`,
        ]),
        'GET /api/time-blocks',
        'POST /api/time-blocks',
        'PATCH /api/time-blocks/reorder',
        'GET /api/time-blocks/{id}',
        'PATCH /api/time-blocks/{id}',
        'DELETE /api/time-blocks/{id}',
        'GET /api/planner',
        'GET /api/user',
        'PATCH /api/user',
        'GET /api/notifications',
        'POST /api/notifications',
        'PATCH /api/notifications',
        'POST /api/notifications/read',
        'GET /api/api-keys',
        'POST /api/api-keys',
        'DELETE /api/api-keys/{id}',
        'GET /api/admin/users',
        'PATCH /api/admin/users/{id}',
        'GET /api/admin/users/{id}/usage',
      ]),
    )
  })

  it('describes every operation, with examples and all its responses', ({ document }) => {
    const faults = operationsOf(document).flatMap(({ name, operation }) => {
      const body = (operation.requestBody ?? {}) as Answer
      const answers = Object.entries(operation.responses ?? {}) as [string, Answer][]
      const media = [body, ...answers.map(([, answer]) => answer)].flatMap(({ content }) =>
        Object.values(content ?? {}),
      )
      const needed = name.includes(' /api/') ? ['429', '503'] : []
      if (name.includes(' /api/') && !name.includes('/api/auth/')) needed.push('401', '403')
      if (!name.startsWith('GET ')) needed.push('400', '413', '415')
      if (name.includes('{id}')) needed.push('404')
      const missing = needed.filter((status) => !operation.responses?.[status])
      return [
        ...(operation.summary ? [] : [`${name}: no summary`]),
        ...(media.every(({ example }) => example !== undefined) ? [] : [`${name}: no example`]),
        ...missing.map((status) => `${name}: no ${status}`),
      ]
    })

    expect(faults).toEqual([])
  })

  it.for([
    [undefined, 'daywright.session_token'],
    ['http://127.0.0.1:3000', 'daywright.session_token'],
    ['https://daywright.example.com', '__Host-daywright.session_token'],
  ] as const)(
    'with PUBLIC_URL=%s: names the session cookie %s, which sign-up sets',
    async ([PUBLIC_URL, name], { db, now }) => {
      const app = await testApp(db, () => now, { PUBLIC_URL, SIGN_UP: 'open' })
      const document = (await app.inject('/api/openapi.json')).json<OpenAPIV3_1.Document>()

      expect(document.components?.securitySchemes?.session).toEqual({
        type: 'apiKey',
        in: 'cookie',
        name,
      })
      const { cookies } = await app.inject({
        method: 'POST',
        url: '/api/auth/sign-up/email',
        headers: { host: 'localhost' },
        payload: {
          email: `${randomUUID()}@example.com`,
          password: 'correct horse battery staple',
          name: 'Ada',
        },
      })
      expect(cookies.map((cookie) => cookie.name)).toContain(name)
    },
  )

  it('bounds every list that a request may send', ({ document }) => {
    const lists = operationsOf(document).flatMap(({ name, operation }) =>
      listsIn(document, operation.requestBody).map((list) => ({ name, most: list.maxItems })),
    )

    expect(lists.length).toBeGreaterThan(5)
    expect(lists.filter(({ most }) => most === undefined)).toEqual([])
  })

  it.for([['TimeBlock', 'startedAt']] as const)(
    '%s: does not require %s, which may be left out',
    ([name, field], { document }) => {
      const schema = document.components?.schemas?.[name]

      expect(schema?.properties).toHaveProperty(field)
      expect(schema?.required).toContain('id')
      expect(schema?.required).not.toContain(field)
    },
  )

  it('gives every operation its own id', ({ document }) => {
    const ids = operationsOf(document).map(({ operation }) => operation.operationId)

    expect(new Set(ids).size).toBe(ids.length)
  })
})

type List = { type: 'array'; maxItems?: number }

/** Every array schema within a part of the document, with references resolved. */
function listsIn(document: OpenAPIV3_1.Document, part: unknown): List[] {
  if (typeof part !== 'object' || part === null) return []
  const { $ref: reference, type } = part as { $ref?: string; type?: string }
  if (reference) {
    const name = reference.replace('#/components/schemas/', '')
    return listsIn(document, document.components?.schemas?.[name])
  }
  const inside = Object.values(part).flatMap((value) => listsIn(document, value))
  return type === 'array' ? [part as List, ...inside] : inside
}

describe('GET /docs', () => {
  it('200: a page that loads nothing from other origins', async ({ app }) => {
    const page = await app.inject('/docs/')

    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toMatch(/^text\/html/)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.body).not.toMatch(/(src|href)="https?:/)
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain("base-uri 'none'; form-action 'none'")
  })

  it.for([
    [{ PUBLIC_URL: 'https://daywright.example.com' }, 404],
    [{ PUBLIC_URL: 'https://daywright.example.com', API_DOCS: 'on' }, 200],
    [{ PUBLIC_URL: 'http://127.0.0.1:3000' }, 200],
    [{ API_DOCS: 'off' }, 404],
  ] as const)('with %o: %i', async ([config, status], { db, now }) => {
    const other = await testApp(db, () => now, config)

    expect((await other.inject('/docs/')).statusCode).toBe(status)
  })
})
