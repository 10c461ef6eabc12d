// SQL as a tagged template. Each parameter has a name and a type. `statement.ts` turns a statement into a function
// that takes one object with the values of all parameters, which the compiler checks. Templates are composed
// once, at start; nothing is composed for a request.

/** What a database handle adds to the values of a statement automatically. */
type Session = { actor: string; limits: string }

/** A statement or a part of one. `Given` is the object with the values of its parameters. */
export type Sql<Given = unknown> = {
  readonly parts: readonly Part[]
  /** Exists only as a type, and is contravariant: a template needs the values of all its parts. */
  readonly needs?: (given: Given) => void
}

type Part = string | Parameter
type Given = Readonly<Record<string, unknown>> | undefined

type Parameter = {
  readonly name: string
  /** The type that PostgreSQL must infer (`statement.test.ts`). */
  readonly type: string
  readonly valueOf: (db: Session, given: Given) => unknown
}

/** Any fragment, whatever its parameters. */
export type AnySql = Sql<never>

/** The values that all these fragments need together. */
export type GivenTo<Fragments> = [Extract<Fragments, AnySql>] extends [
  { needs?: (given: infer Given) => void },
]
  ? Given
  : unknown

/** SQL with fragments as its values: sql`select … where user_id = ${userId}`. */
export const sql = <const Fragments extends readonly AnySql[]>(
  texts: TemplateStringsArray,
  ...fragments: Fragments
) =>
  fragment<GivenTo<Fragments[number]>>(
    texts.flatMap((text, index) => [text, ...(fragments[index]?.parts ?? [])]),
  )

/** Verbatim text: the name of a table, or a constant. Never a value of a request. */
export const raw = (text: string | number) => fragment([String(text)])

/** The fragments with a text between them. */
export const join = <Fragment extends AnySql>(fragments: readonly Fragment[], between: string) =>
  fragment<GivenTo<Fragment>>(
    fragments.flatMap(({ parts }, index) => (index === 0 ? parts : [between, ...parts])),
  )

const fragment = <Given>(parts: readonly Part[]): Sql<Given> => ({ parts })

// The parameters by their type in PostgreSQL. `orNull` is for a parameter whose value may be null or undefined.
const parameters = <Type>(type: string, encode?: (value: Type) => unknown) => {
  const parameter = <Name extends string, Value>(name: Name) =>
    fragment<Record<Name, Value>>([
      {
        name,
        type,
        valueOf: encode
          ? (_db, given) => given?.[name] && encode(given[name] as Type)
          : (_db, given) => given?.[name],
      },
    ])
  return Object.assign(<Name extends string>(name: Name) => parameter<Name, Type>(name), {
    orNull: <Name extends string>(name: Name) => parameter<Name, Type | null | undefined>(name),
  })
}

export const uuid = parameters<string>('uuid')
export const uuids = parameters<readonly string[]>('uuid[]')
/** Also for an enum. */
export const text = parameters<string>('text')
export const texts = parameters<readonly string[]>('text[]')
export const boolean = parameters<boolean>('boolean')
export const integer = parameters<number>('integer')
export const bigint = parameters<number>('bigint')
export const bigints = parameters<readonly number[]>('bigint[]')
export const double = parameters<number>('double precision')
export const bytes = parameters<Buffer>('bytea')
/** `2026-03-02`. */
export const date = parameters<string>('date')
// A year after 9999 has six digits and a sign, which PostgreSQL does not parse.
export const timestamp = parameters<Date>('timestamp with time zone', (time) =>
  time.toISOString().replace(/^\+0/, ''),
)
/** A value that is sent as JSON. */
export const json = parameters<object>('jsonb', JSON.stringify)
/** JSON that PostgreSQL has built. */
export const jsonText = parameters<string>('jsonb')
/** Changes of a row as JSON: `{ dueAt }` goes to the column `due_at`. */
export const jsonByColumn = parameters<object>('jsonb', (changes) =>
  JSON.stringify(
    Object.fromEntries(Object.entries(changes).map(([name, value]) => [snake(name), value])),
  ),
)

/** `dueAt` is the column `due_at`. */
export const snake = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The user whose rows the statement touches. Every table has the condition `user_id = ${userId}`. */
export const userId = uuid('userId')

/** The actor as stored in events; the Db supplies it. */
export const actor = fragment([{ name: 'actor', type: 'jsonb', valueOf: (db) => db.actor }])
/** The user's limits; the Db supplies them. */
export const limits = fragment([{ name: 'limits', type: 'jsonb', valueOf: (db) => db.limits }])

const first = ['userId']
const last = ['actor', 'limits']

/** The text with numbers for the parameters, and the parameters in this order. The user is always $1. */
export function numberParameters({ parts }: AnySql) {
  const known = new Map<string, Parameter>()
  for (const part of parts) {
    if (typeof part === 'string') continue
    const { name, type } = part
    const other = known.get(name)?.type ?? type
    if (other !== type) throw new Error(`The parameter ${name} is ${other} and ${type}`)
    known.set(name, part)
  }
  const names = [...new Set([...first, ...known.keys()]).difference(new Set(last)), ...last]
  const ordered = names.flatMap((name) => known.get(name) ?? [])
  const numbers = new Map(ordered.map(({ name }, index) => [name, `$${index + 1}`]))
  const text = parts.map((part) => (typeof part === 'string' ? part : numbers.get(part.name)))
  return { text: text.join(''), parameters: ordered }
}
