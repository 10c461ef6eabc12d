// What must hold for every response to any request.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { parseTimestamp } from '@daywright/contract'
import type { Document, Operation } from '../kit/operations.ts'
import { type Answer, isStream } from './connection.ts'
import type { Request } from './requests.ts'

export const slowestMs = 1500

const innards =
  /node_modules|\.ts:\d|\.js:\d|\bat \w+ \(|\b(select|insert into|update|delete from)\b.*\b(from|values|set|where)\b|violates|syntax error at|relation "|column "|duplicate key|invalid byte|invalid input syntax|out of range for type|postgres|ECONN|undefined is not|Cannot read/i

export function judgeOf(document: Document) {
  const answers = new Ajv2020({ strict: false, validateFormats: true })
  formats.default(answers)
  answers.addSchema({ ...document, $id: 'openapi' })
  const bodies = new Ajv2020({ strict: false })
  // A malformed id is refused like an unknown one, not by the schema; a date may come without a time.
  bodies.addFormat('uuid', true)
  bodies.addFormat('date-time', (text) => text === '' || parseTimestamp(text) !== undefined)
  formats.default(bodies, ['date'])
  for (const format of ['uri', 'email']) bodies.addFormat(format, true)
  bodies.addSchema({ ...document, $id: 'openapi' })

  const known = new Map<string, ValidateFunction>()
  function validator(ajv: Ajv2020, pointer: string[]) {
    const path = pointer.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
    const key = `${ajv === bodies ? 'body' : 'answer'} ${path}`
    const made = known.get(key) ?? ajv.compile({ $ref: `openapi#/${encodeURI(path)}` })
    known.set(key, made)
    return made
  }
  const media = ['content', 'application/json', 'schema']

  /** What is wrong with the response, if anything. */
  return function judge(operation: Operation, request: Request, answer: Answer) {
    const { status, headers, text } = answer
    const { path, method, answers: documented } = operation
    if (status >= 500) return `${status}`
    if (!headers['x-request-id']) return 'no X-Request-Id'
    if (isStream(answer) && status === 200 && path === '/api/events') return undefined
    if (!headers['content-type']?.startsWith('application/json')) {
      return `the answer is ${headers['content-type']}`
    }
    const { expected = status, isOffRoute } = request
    if (status !== expected) return `${status}, not ${expected}`
    if (!isOffRoute && !(status in documented)) return `${status} is not documented`
    const body = parseJson(text)
    if (body === unreadable) return 'the answer is no JSON'
    if (status >= 400) {
      const isError = validator(answers, ['components', 'schemas', 'Error'])
      if (!isError(body) || !body.error) return `the error is ${text.slice(0, 200)}`
      if (innards.test(text)) return `the error tells of our innards`
      return undefined
    }
    if (isOffRoute) return undefined
    const fits = validator(answers, [
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      String(status),
      ...media,
    ])
    if (!fits(body)) return `the answer strays: ${answers.errorsText(fits.errors)}`
    if (request.sentBody !== undefined && operation.body) {
      const takes = validator(bodies, [
        'paths',
        path,
        method.toLowerCase(),
        'requestBody',
        ...media,
      ])
      if (!takes(request.sentBody)) {
        return `${status} to what its schema refuses: ${bodies.errorsText(takes.errors)}`
      }
    }
    return undefined
  }
}

const unreadable = Symbol('unreadable')
function parseJson(text: string): { error?: string } | typeof unreadable {
  try {
    return JSON.parse(text) as { error?: string }
  } catch {
    return unreadable
  }
}
