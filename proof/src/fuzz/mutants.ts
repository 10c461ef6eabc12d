import type { Mutant } from '../kit/harness.ts'

const values = 'contract/src/values.ts'

/** Faults that show in a request or its response. */
export const mutants: Mutant[] = [
  edit('an undocumented status', 'server/src/errors.ts', 'new ApiError(409,', 'new ApiError(418,'),
  edit(
    'a count as text',
    'server/src/labels/labels.queries.ts',
    `'carrying.count'`,
    `'carrying.count::text'`,
  ),
  edit(
    'a flag as a number',
    'server/src/spaces/space-json.ts',
    `'space.is_default'`,
    `'space.is_default::int'`,
  ),
  edit(
    'a field too many',
    'server/src/documents/document-json.ts',
    `title: 'document.title',\n  content`,
    `title: 'document.title',\n  hidden: '1',\n  content`,
  ),
  edit(
    'U+0000 is not refused',
    values,
    `!text.includes('\\0') && text.isWellFormed()`,
    'text.isWellFormed()',
  ),
  edit(
    'a list that takes its time',
    'server/src/labels/labels.queries.ts',
    '(db: Db, userId: string) => list(db, userId)',
    `async (db: Db, userId: string) => {
  await db.query('select pg_sleep(4.5)')
  return list(db, userId)
}`,
  ),
  edit(
    'the stack in a refusal',
    'server/src/http/send-error.ts',
    `badRequest('Invalid JSON')`,
    `badRequest(String(error.stack))`,
  ),
  edit(
    'PostgreSQL’s words in a refusal',
    'server/src/db/violations.ts',
    'throw sqlState(error) === state ? answer() : error',
    'throw sqlState(error) === state ? Object.assign(answer(), { body: { error: String((error as Error).message) } }) : error',
  ),
  edit(
    'details as a list',
    'server/src/http/validate.ts',
    'error: invalid(byField(error.issues))',
    'error: invalid(error.issues.map(String) as never)',
  ),
  edit(
    'an error that is not JSON',
    'server/src/http/send-error.ts',
    `'application/json; charset=utf-8'`,
    `'text/plain'`,
  ),
  edit(
    'no X-Request-Id',
    'server/src/http/arrive.ts',
    `reply.headers(headers).header('x-request-id', request.id)`,
    'reply.headers(headers)',
  ),
  edit(
    'a body is merged into what is there, prototype and all',
    'server/src/app.ts',
    'parseJson(request, String(body), done)',
    `parseJson(request, String(body), (error, read) => {
      const merge = (into: any, from: any) => {
        for (const key of Object.keys(from ?? {})) {
          if (typeof from[key] === 'object' && typeof into[key] === 'object') merge(into[key], from[key])
          else into[key] = from[key]
        }
        return into
      }
      if (!error && read && !Array.isArray(read)) merge({}, JSON.parse(String(body)))
      done(error, read)
    })`,
  ),
  edit(
    'a body is walked by recursion',
    'server/src/http/validate.ts',
    '    const { success, data: value, error } = schema.safeParse(data)',
    `    const walk = (part: any): any =>
      part && typeof part === 'object' ? Object.values(part).map((inner) => walk(inner)) : part
    walk(data)
    const { success, data: value, error } = schema.safeParse(data)`,
  ),
  edit(
    'bodies of any size',
    'server/src/app.ts',
    'bodyLimit: 1024 * 1024',
    'bodyLimit: 1024 * 1024 * 1024',
  ),
  edit(
    'numbers are not judged',
    values,
    'export const SortOrder = z.number()',
    `export const SortOrder = z.unknown().meta({ type: 'number' }) as unknown as z.ZodNumber`,
  ),
  edit(
    'the 30th of February',
    'contract/src/parse-timestamp.ts',
    'export function parseTimestamp(',
    'export function parseTimestamp(text: string) {\n  const date = new Date(text)\n  return Number.isNaN(date.getTime()) ? undefined : date\n}\nfunction strictly(',
  ),
  edit(
    'an id in a path goes to PostgreSQL as it is',
    values,
    'z.object({ id: Id.catch(nilUuid) })',
    'z.object({ id: z.string() })',
  ),
  edit(
    'a filter goes to PostgreSQL as it is',
    values,
    'Id.catch(nilUuid).optional()',
    'z.unknown().optional() as never',
  ),
  edit(
    'an Idempotency-Key of any length',
    'server/src/http/write.ts',
    `if (!/^[\\x21-\\x7e]{1,255}$/.test(key))`,
    'if (key === "")',
  ),
  edit(
    'a name that is taken is a fault of ours',
    'server/src/labels/labels.queries.ts',
    'insert(db, userId, newId(), name, color).catch(nameTaken)',
    'insert(db, userId, newId(), name, color)',
  ),
  edit(
    'a block that ends before it starts is a fault of ours',
    'server/src/time-blocks/time-blocks.queries.ts',
    '.catch(badSpan)',
    '',
  ),
  {
    name: 'a label is changed, whosesoever it is',
    edits: [
      {
        file: 'server/src/labels/labels.queries.ts',
        find: 'from labels old where user_id = $1',
        replace: 'from labels old where $1::uuid is not null',
      },
      {
        file: 'server/src/labels/labels.queries.ts',
        find: 'where label.user_id = $1 and label.id = old.id',
        replace: 'where label.id = old.id',
      },
    ],
  },
]

function edit(name: string, file: string, find: string, replace: string): Mutant {
  return { name, edits: [{ file, find, replace }] }
}
