// Inputs: valid, invalid and hostile values, and ids of every kind. Nothing here depends on the model: ids and
// times are drawn as positions and resolved when the step runs.
import fc from 'fast-check'
import type { Kind } from './model.ts'

/** Which id: the caller's own, a deleted one, another user's, an unknown one, or a malformed one. */
export type Pick = { whose: Whose; place: number }
type Whose = 'own' | 'gone' | 'other' | 'unknown' | 'malformed' | 'upper'

/** A value for a field. `bad` is the path of the error within the field: '' for the field itself. */
export type Sent =
  | { value: unknown; stored: unknown }
  | { value: unknown; bad: string }
  | { hours: number; form: number }
  | { of: Kind; pick: Pick }
  | { of: Kind; picks: Pick[] }

/** The valid and invalid values of a field. */
export type Field = {
  good: fc.Arbitrary<Sent>
  bad: fc.Arbitrary<Sent>
  /** Always sent here, although it is optional. */
  isOptional?: boolean
}

export type Body =
  | { fields: Record<string, Sent>; known: string[]; required: string[]; noise: number }
  | { text: string; isJson: boolean }

const good = (...values: unknown[]): fc.Arbitrary<Sent> =>
  fc.constantFrom(...values).map((value) => ({ value, stored: value }))
const bad = (...values: unknown[]): fc.Arbitrary<Sent> =>
  fc.constantFrom(...values).map((value) => ({ value, bad: '' }))

const either = (...sides: [number, fc.Arbitrary<Sent>][]) =>
  fc.oneof(...sides.map(([weight, arbitrary]) => ({ weight, arbitrary })))

export const pick: fc.Arbitrary<Pick> = fc.record({
  whose: fc.constantFrom<Whose>(
    ...Array<Whose>(14).fill('own'),
    'gone',
    'other',
    'other',
    'unknown',
    'malformed',
    'upper',
  ),
  place: fc.nat(1000),
})

/** Like `pick`, but more often an own id: in a body, one wrong id makes the whole request fail. */
const likelyPick: fc.Arbitrary<Pick> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ whose: fc.constant<Whose>('own'), place: fc.nat(1000) }) },
  { weight: 1, arbitrary: pick },
)

export const ownPick: fc.Arbitrary<Pick> = fc.record({
  whose: fc.constant<Whose>('own'),
  place: fc.nat(1000),
})

const hostile = [
  `'; drop table tasks; --`,
  '<script>alert(1)</script>',
  '__proto__',
  'null',
  ' both ends ',
  'line\nbreak\ttab\u2028',
  '\\u0000 \\ "quoted" $1 %s %00',
  '😀👩‍👩‍👧 e\u0301 é',
  '\u202Eright to left\u200B\uFEFF',
  'ẞßſ İı Ω',
  '\u0001\u007F',
]
const plain = ['Write the report', 'b', 'B', 'a', 'ä', 'Ab', 'aa', '0', 'Z']
const unstorable = ['a\0b', 'half \uD800', '\uDC00']

/** Text of this many UTF-16 code units. */
export const text = (min: number, max: number, long = max): Field => ({
  good: either(
    [6, good(...plain)],
    [3, good(...hostile.filter(({ length }) => length <= max))],
    [1, good(min === 0 ? '' : 'x'.repeat(min), '😀'.repeat(max / 2), 'y'.repeat(max))],
  ),
  bad: bad(
    ...unstorable,
    ...(min > 0 ? [''] : []),
    ...(long === max ? ['x'.repeat(max + 1), '😀'.repeat(max / 2) + 'x'] : []),
    null,
    7,
    ['a'],
    { a: 'b' },
  ),
})

/** Long text, tried in a few forms only. */
export const longText: Field = {
  good: either(
    [4, good('', ...plain)],
    [2, good(...hostile)],
    [1, good('# Goals\n\n- é'.repeat(99))],
  ),
  bad: bad(...unstorable, null, 7, ['a']),
}

export const oneOf = (...values: string[]): Field => ({
  good: good(...values),
  bad: bad(`${values[0]} `, values[0]?.toUpperCase(), '', null, 0, [values[0]]),
})

export const flag: Field = { good: good(true, false), bad: bad('true', 1, null, {}) }

export const whole = (min: number, max: number, ...more: number[]): Field => ({
  good: good(min, max, ...more),
  bad: bad(min - 1, max + 1, 1.5, '5', 1e300, true, []),
})

export const number: Field = {
  good: good(0, 1, 2, -1, 2.5, 0.1 + 0.2, -1e308, 5e-324, 2 ** 53),
  bad: bad('1', null, true, [1]),
}

/** A field that null clears as well. */
export const nullable = ({ good: values, bad: faults }: Field): Field => ({
  good: either([4, values], [1, good(null)]),
  bad: faults.filter((fault) => !('value' in fault && fault.value === null)),
})

export const hexColor: Field = {
  good: good('#1A2B3C', '#ffffff', '#000000'),
  bad: bad('#12345', '#1234567', 'red', '#GGGGGG', ' #1A2B3C', '#1A2B3C\n', 7),
}

export const url: Field = {
  good: good('https://example.com/brief', 'http://localhost:1/?q=ä#x', 'mailto:a@example.com'),
  bad: bad('', 'brief', '/a', 'javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', 7),
}

const notTimes = [
  'tomorrow',
  'infinity',
  'now',
  '2024-02-30T00:00:00Z',
  '2026-13-01',
  '2026-01-01T24:00:00Z',
  '2026-01-01T10:00:60Z',
  '10000-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '2026-01-01T10:00:00+24:00',
  'foo 2024',
  1_700_000_000_000,
  {},
]
const first = Date.parse('0001-01-01T00:00:00.000Z')
const last = Date.parse('9999-12-31T23:59:59.999Z')

/** Times in half hours around the start of the world, none close to it. */
const hours = fc
  .oneof(
    { weight: 4, arbitrary: fc.integer({ min: -3, max: 60 }) },
    { weight: 1, arbitrary: fc.integer({ min: -100, max: 900 }) },
  )
  .map((half) => (half === 0 ? 0.5 : half / 2))

export const moment: Field = {
  good: either(
    [9, fc.record({ hours, form: fc.nat(4) })],
    [
      1,
      fc.constantFrom<Sent>(
        { value: '0001-01-01', stored: first },
        { value: '9999-12-31T23:59:59.9999Z', stored: last },
        { value: '2024-02-29t12:00:00+05:30', stored: Date.parse('2024-02-29T06:30:00Z') },
      ),
    ],
  ),
  bad: bad(...notTimes, ''),
}

/** A time that an empty text clears, as null does. */
export const clearableMoment: Field = {
  good: either(
    [4, moment.good],
    [1, fc.constantFrom<Sent>({ value: '', stored: null }, { value: null, stored: null })],
  ),
  bad: bad(...notTimes),
}

/** Times for blocks in the calendar: like `moment`, but always near the start of the world. */
export const soon: Field = {
  good: fc.record({
    hours: fc.integer({ min: -60, max: 240 }).map((half) => (half === 0 ? 0.5 : half / 2)),
    form: fc.nat(4),
  }),
  bad: moment.bad,
}

export const reference = (of: Kind): Field => ({
  good: likelyPick.map((drawn) => ({ of, pick: drawn })),
  bad: bad(7, {}, ['a'], true),
})

export const references = (of: Kind, most: number): Field => ({
  good: fc.array(likelyPick, { maxLength: 3 }).map((picks) => ({ of, picks })),
  bad: fc.constantFrom<Sent>(
    { value: 'a', bad: '' },
    { value: null, bad: '' },
    { value: [7], bad: '.0' },
    { value: Array(most + 1).fill('x'), bad: '' },
  ),
})

const nowhere: fc.Arbitrary<Body> = fc.constantFrom<Body>(
  { text: '[]', isJson: true },
  { text: 'null', isJson: true },
  { text: '"text"', isJson: true },
  { text: '7', isJson: true },
  { text: '', isJson: true },
  { text: '{"a":', isJson: false },
  { text: '{"a": NaN}', isJson: false },
)

/** A body of these fields: mostly valid, sometimes with one invalid field, or not an object. */
export function body(
  fields: Record<string, Field>,
  required: string[] = [],
  more: string[] = [],
): fc.Arbitrary<Body> {
  const names = Object.keys(fields)
  const goods = Object.fromEntries(names.map((name) => [name, fields[name]?.good ?? good(null)]))
  const spoilt = fc
    .constantFrom(...names)
    .chain((name) =>
      fc.tuple(
        fc.constant(name),
        fc.oneof(
          { weight: 6, arbitrary: fields[name]?.bad ?? bad(null) },
          ...(required.includes(name) && !fields[name]?.isOptional
            ? [{ weight: 1, arbitrary: fc.constant<Sent>({ value: undefined, bad: '' }) }]
            : []),
        ),
      ),
    )
  const whole = fc
    .record({
      given: fc.record(goods),
      // A bit mask of the fields: about half of them, where fc.record alone would omit few.
      sent: fc.noBias(fc.nat(2 ** names.length - 1)),
      spoilt: fc.oneof(
        { weight: 6, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: spoilt },
      ),
      noise: fc.constantFrom(0, 0, 0, 1, 2),
    })
    .map(({ given, sent, spoilt, noise }): Body => ({
      fields: { ...pickSent(given, sent), ...(spoilt && { [spoilt[0]]: spoilt[1] }) },
      known: [...names, ...more],
      required,
      noise,
    }))
  return fc.oneof({ weight: 60, arbitrary: whole }, { weight: 1, arbitrary: nowhere })

  function pickSent(given: Record<string, Sent>, sent: number) {
    const isSent = (name: string, place: number) =>
      required.includes(name) || Math.floor(sent / 2 ** place) % 2 === 1
    return Object.fromEntries(Object.entries(given).filter(([name], place) => isSent(name, place)))
  }
}

/** Usually undefined: a value once in this many times. */
export const rarely = <Value>(arbitrary: fc.Arbitrary<Value>, times: number) =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
