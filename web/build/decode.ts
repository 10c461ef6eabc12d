// The building blocks of the decoders of `contract-decoders.ts`; this file runs in the browser.

export type Decode = (value: unknown) => unknown

/** A response that does not match the contract: the page and the service differ in version. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer'
  readonly path: (string | number)[] = []
  readonly expected: string

  constructor(expected: string) {
    super()
    this.expected = expected
  }

  override get message() {
    return `Expected ${this.expected} at ${this.path.join('.') || 'the top'}`
  }
}

const refuse = (expected: string): never => {
  throw new UnexpectedAnswer(expected)
}

export const unknown: Decode = (value) => value

export const string: Decode = (value) => (typeof value === 'string' ? value : refuse('a text'))

export const boolean: Decode = (value) =>
  typeof value === 'boolean' ? value : refuse('true or false')

export const number: Decode = (value) => (typeof value === 'number' ? value : refuse('a number'))

export const int: Decode = (value) =>
  Number.isSafeInteger(value) ? value : refuse('a whole number')

export const matching =
  (pattern: RegExp): Decode =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? value : refuse(`a text like ${pattern}`)

export const date =
  (pattern: RegExp): Decode =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? new Date(value) : refuse('a timestamp')

export const oneOf =
  (...values: unknown[]): Decode =>
  (value) =>
    values.includes(value) ? value : refuse(`one of ${values.join(', ')}`)

export const nullable =
  (decode: Decode): Decode =>
  (value) =>
    value === null ? null : decode(value)

/** For a field that may be missing. */
export const optional =
  (decode: Decode): Decode =>
  (value) =>
    value === undefined ? undefined : decode(value)

/** For a field with a default, which the service may leave out. */
export const orElse =
  (decode: Decode, missing: unknown): Decode =>
  (value) =>
    value === undefined ? missing : decode(value)

export const array =
  (decode: Decode): Decode =>
  (value) =>
    Array.isArray(value)
      ? value.map((item, index) => within(index, decode, item))
      : refuse('a list')

/** The fields of the contract; others are dropped. */
export const object = (fields: Record<string, Decode>): Decode => {
  const decoders = Object.entries(fields)
  return (value) => {
    const source = recordOf(value)
    const decoded: Record<string, unknown> = {}
    for (const [name, decode] of decoders) {
      const field = within(name, decode, source[name])
      if (field !== undefined || name in source) decoded[name] = field
    }
    return decoded
  }
}

/** The same, and keeps other fields. */
export const looseObject = (fields: Record<string, Decode>): Decode => {
  const decode = object(fields)
  return (value) => ({ ...recordOf(value), ...(decode(value) as object) })
}

export const record =
  (decode: Decode): Decode =>
  (value) =>
    Object.fromEntries(
      Object.entries(recordOf(value))
        // Zod drops this name, too.
        .filter(([name]) => name !== '__proto__')
        .map(([name, field]) => [name, within(name, decode, field)]),
    )

/** The first option that matches. */
export const union =
  (...options: Decode[]): Decode =>
  (value) => {
    for (const decode of options) {
      try {
        return decode(value)
      } catch (error) {
        if (!(error instanceof UnexpectedAnswer)) throw error
      }
    }
    return refuse('one of several shapes')
  }

/** The part of a Zod schema that the client uses. */
export const schema = (decode: Decode) => ({
  parse: decode,
  safeParse(value: unknown) {
    try {
      return { success: true, data: decode(value) }
    } catch (error) {
      return { success: false, error }
    }
  },
  array: () => schema(array(decode)),
})

function recordOf(value: unknown) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse('an object')
  return value as Record<string, unknown>
}

function within(place: string | number, decode: Decode, value: unknown) {
  try {
    return decode(value)
  } catch (error) {
    if (error instanceof UnexpectedAnswer) error.path.unshift(place)
    throw error
  }
}
