import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as contract from './index.ts'

const {
  ClearableTimestamp,
  Description,
  FilterId,
  HexColor,
  isTimezone,
  nilUuid,
  PageQuery,
  parseTimestamp,
  PathId,
  Reference,
  SortOrder,
  text,
  Timestamp,
  TimestampInput,
} = contract

const id = '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e11'

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

describe('parseTimestamp', () => {
  it.for([
    // With Z, with an offset, with neither (UTC).
    ['2026-03-02T08:00:00Z', '2026-03-02T08:00:00.000Z'],
    ['2026-03-02T08:00:00+02:00', '2026-03-02T06:00:00.000Z'],
    ['2026-03-02T08:00:00-05:30', '2026-03-02T13:30:00.000Z'],
    ['2026-03-02T08:00:00+0200', '2026-03-02T06:00:00.000Z'],
    ['2026-03-02T08:00:00+02', '2026-03-02T06:00:00.000Z'],
    ['2026-03-02T08:00:00-00:00', '2026-03-02T08:00:00.000Z'],
    ['2026-03-02T08:00:00+23:59', '2026-03-01T08:01:00.000Z'],
    ['2026-03-02T08:00:00', '2026-03-02T08:00:00.000Z'],
    ['2026-03-02T08:00', '2026-03-02T08:00:00.000Z'],
    ['2026-03-02T08:00+02:00', '2026-03-02T06:00:00.000Z'],
    ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000Z'],
    ['2026-03-02t08:00:00z', '2026-03-02T08:00:00.000Z'],
    ['2026-03-02 08:00:00Z', '2026-03-02T08:00:00.000Z'],
    // A date alone.
    ['2026-03-02', '2026-03-02T00:00:00.000Z'],
    // Fractions of a second, truncated to milliseconds.
    ['2026-03-02T08:00:00.5Z', '2026-03-02T08:00:00.500Z'],
    ['2026-03-02T08:00:00,25Z', '2026-03-02T08:00:00.250Z'],
    ['2026-03-02T08:00:00.001Z', '2026-03-02T08:00:00.001Z'],
    ['2026-03-02T08:00:00.123456Z', '2026-03-02T08:00:00.123Z'],
    ['2026-03-02T08:00:00.999999999+02:00', '2026-03-02T06:00:00.999Z'],
    // The edges of days and years.
    ['2026-03-02T23:59:59.999Z', '2026-03-02T23:59:59.999Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['0099-12-31T12:00:00Z', '0099-12-31T12:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ] as const)('%s is %s', ([written, instant]) => {
    expect(parseTimestamp(written)?.toISOString()).toBe(instant)
  })

  it.for([
    // Days that do not exist.
    '2024-02-30',
    '2023-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-00-10',
    '2026-13-10',
    '2026-01-00',
    '2026-01-32',
    '2024-02-30T08:00:00Z',
    // Times that do not exist.
    '2026-03-02T24:00:00Z',
    '2026-03-02T08:60:00Z',
    '2026-03-02T08:00:60Z',
    '2026-03-02T08:00:00+24:00',
    '2026-03-02T08:00:00+02:60',
    // Outside the years 0001 to 9999, as written or in UTC.
    '0000-01-01',
    '0000-12-31T23:30:00-01:00',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '10000-01-01',
    '+010000-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    // Not a date-time.
    '',
    ' ',
    'tomorrow',
    'foo 2024',
    '1772438400',
    '2026',
    '2026-03',
    '2026-3-2',
    '02/03/2026',
    'Mon, 02 Mar 2026 08:00:00 GMT',
    '08:00:00Z',
    '2026-03-02T',
    '2026-03-02Z',
    '2026-03-02T8:00:00Z',
    '2026-03-02T08:00:00.Z',
    '2026-03-02T08:00:00 Z',
    '2026-03-02T08:00:00Europe/Berlin',
    '2026-03-02T08:00:00Z[UTC]',
    ' 2026-03-02',
    '2026-03-02\n',
    '２０２６-０３-０２',
  ])('%o is not a timestamp', (written) => {
    expect(parseTimestamp(written)).toBeUndefined()
  })
})

describe('Timestamp, TimestampInput and ClearableTimestamp', () => {
  const eight = new Date('2026-03-02T08:00:00Z')

  it('are parsed into a Date', () => {
    for (const schema of [Timestamp, TimestampInput, ClearableTimestamp]) {
      expect(schema.parse('2026-03-02T08:00:00Z')).toEqual(eight)
    }
  })

  it('are sent in UTC with milliseconds', () => {
    expect(z.encode(Timestamp, eight)).toBe('2026-03-02T08:00:00.000Z')
  })

  it.for(['', null])('%o clears a ClearableTimestamp but is not a TimestampInput', (nothing) => {
    expect(ClearableTimestamp.parse(nothing)).toBeNull()
    expect(accepts(TimestampInput, nothing)).toBe(false)
  })

  it.for(['soon', '2024-02-30', 1_772_438_400, true, {}, ['2026-03-02']])('refuse %o', (value) => {
    expect(accepts(TimestampInput, value)).toBe(false)
    expect(accepts(ClearableTimestamp, value)).toBe(false)
  })
})

describe('text', () => {
  it.for([
    ['', 0, 2, true],
    ['', 1, 2, false],
    ['ab', 1, 2, true],
    ['abc', 1, 2, false],
    ['  ', 1, 2, true],
    ['   ', 1, 2, false],
    // UTF-16 code units, as JavaScript counts them.
    ['🌱', 1, 2, true],
    ['🌱', 1, 1, false],
    ['🌱🌱', 1, 3, false],
    ['é', 1, 1, true],
    ['e\u0301', 1, 1, false],
  ] as const)('accepts %o with a length of %i to %i: %s', ([value, min, max, fits]) => {
    expect(accepts(text(min, max), value)).toBe(fits)
  })

  it('is not trimmed', () => {
    expect(text(1, 10).parse(' a\r\n')).toBe(' a\r\n')
  })

  it.for([
    ['U+0000', 'a\0b'],
    ['the first half of a pair', 'a\ud83c'],
    ['the second half of a pair', '\udf31a'],
    ['the halves the wrong way round', '\udf31\ud83c'],
  ] as const)('refuses %s', ([, value]) => {
    expect(accepts(text(1, 10), value)).toBe(false)
  })

  it('accepts all other characters', () => {
    const odd = '\u0001\u200d\ufeff\uffff🌱'

    expect(text(1, 10).parse(odd)).toBe(odd)
  })

  it.for([null, undefined, 5, true, ['a'], { length: 1 }])('refuses the non-string %o', (value) => {
    expect(accepts(text(0, 10), value)).toBe(false)
  })

  it('has at most 100,000 characters as a description', () => {
    expect(accepts(Description, 'x'.repeat(100_000))).toBe(true)
    expect(accepts(Description, 'x'.repeat(100_001))).toBe(false)
  })
})

describe('isTimezone', () => {
  it.for([
    'UTC',
    'Australia/Sydney',
    'America/Argentina/Buenos_Aires',
    'America/Port-au-Prince',
    'Etc/GMT+10',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'US/Eastern',
    'asia/KOLKATA',
  ])('%s is a time zone', (name) => {
    expect(isTimezone(name)).toBe(true)
  })

  it.for([
    'Mars/Olympus',
    'Sydney',
    'IST',
    'SystemV/AST4',
    'Australia/',
    '+05:30',
    '-08',
    '',
    ' UTC',
    'UTC\n',
    'Australia/Sydney; DROP',
    null,
    undefined,
    5,
    ['UTC'],
  ])('%o is not a time zone', (name) => {
    expect(isTimezone(name)).toBe(false)
  })
})

describe('the ids of other records', () => {
  it('are accepted unchanged', () => {
    expect(Reference.parse(id)).toBe(id)
    expect(PathId.parse({ id })).toEqual({ id })
    expect(FilterId.parse(id)).toBe(id)
  })

  it.for(['', 'not-an-id', `${id} `, `{${id}}`, id.replaceAll('-', ''), id.slice(0, -1)])(
    'match nothing if malformed: %o',
    (malformed) => {
      expect(Reference.parse(malformed)).toBe(nilUuid)
      expect(PathId.parse({ id: malformed })).toEqual({ id: nilUuid })
      expect(FilterId.parse(malformed)).toBe(nilUuid)
    },
  )

  it.for([null, 5, [], {}])('are refused in a body if not a string: %o', (value) => {
    expect(accepts(Reference, value)).toBe(false)
  })
})

describe('SortOrder, HexColor and PageQuery', () => {
  it.for([Infinity, -Infinity, NaN, '1', null])('SortOrder refuses %o', (value) => {
    expect(accepts(SortOrder, value)).toBe(false)
  })

  it.for([
    ['#1A2b3C', true],
    ['#12345', false],
    ['#1234567', false],
    ['#GGGGGG', false],
    ['123456', false],
    ['#123456\n', false],
    ['red', false],
  ] as const)('%o is a color: %s', ([color, is]) => {
    expect(accepts(HexColor, color)).toBe(is)
  })

  it('PageQuery defaults to the first page of 50 records', () => {
    expect(PageQuery.parse({})).toEqual({ page: 1, limit: 50 })
    expect(PageQuery.parse({ page: '12', limit: '100' })).toEqual({ page: 12, limit: 100 })
  })

  it.for([
    { page: '0' },
    { page: '-1' },
    { page: '1.5' },
    { page: '' },
    { page: '1e3' },
    { page: '9999999999' },
    { page: ['1', '2'] },
    { limit: '0' },
    { limit: '101' },
    { limit: 'all' },
  ])('PageQuery refuses %o', (query) => {
    expect(accepts(PageQuery, query)).toBe(false)
  })
})

describe('the examples', () => {
  type Named = [name: string, schema: z.ZodType, examples: unknown[]]

  const schemas = Object.entries<unknown>(contract).filter(
    (entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType,
  )
  const shown: Named[] = schemas.flatMap(([name, schema]) => {
    const examples = schema.meta()?.examples
    return Array.isArray(examples) ? [[name, schema, examples] satisfies Named] : []
  })

  // Schemas of what clients send. Some have one-way transforms, so their examples are decoded but not encoded.
  const sent =
    /^(Reference|Sign(Up|In)|PasswordChange|SessionToRevoke|Batch|Block(Extension|Skip)|MissedBlockDecision|TimeBlockOrder|NotificationRe(quest|ad)|New\w+|\w+(Changes|Input)|ClearableTimestamp)$/

  it.for(shown)('of %s can be decoded', ([, schema, examples]) => {
    expect(examples).not.toEqual([])
    for (const example of examples) expect(schema.safeParse(example).error).toBeUndefined()
  })

  it.for(shown.filter(([name]) => !sent.test(name)))(
    'of %s are the same after decoding and encoding',
    ([, schema, examples]) => {
      for (const example of examples) {
        expect(z.encode(schema, schema.parse(example))).toEqual(example)
      }
    },
  )

  it('exist for every schema that OpenAPI names', () => {
    const without = schemas.filter(([, schema]) => schema.meta()?.id && !schema.meta()?.examples)

    expect(without.map(([name]) => name)).toEqual([])
  })
})
