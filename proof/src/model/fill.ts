// Turns a random body into one that can be sent, together with the expected result.
import type { Kind, Rows } from './model.ts'
import type { Body, Pick, Sent } from './values.ts'

export type Owner = { id: string; rows: Rows; gone: string[] }

export type Filled = {
  /** The text to send. */
  text: string
  /** What the service should decode: times as numbers, references as ids. */
  // oxlint-disable-next-line typescript/no-explicit-any
  values: Record<string, any>
  /** The fields that `details` must name. */
  bad: string[]
  /** Fields that refer to no record of the caller. */
  missing: string[]
  isJson: boolean
  /** Equal for two bodies with the same content. */
  asked: string
}

const unknownId = '6b1f0a52-93c4-4a07-8d21-5e0c7fb94d13'

/** The id to send, and the caller's row that it matches, if any. */
export function idOf(kind: Kind, { whose, place }: Pick, me: Owner, other: Owner) {
  const own = nth([...me.rows[kind].keys()], place)
  if (whose === 'own') return { id: own ?? unknownId, found: own }
  if (whose === 'upper') return { id: own?.toUpperCase() ?? unknownId, found: own }
  if (whose === 'gone') return { id: nth(me.gone, place) ?? unknownId }
  if (whose === 'other') return { id: nth([...other.rows[kind].keys()], place) ?? other.id }
  if (whose === 'unknown') return { id: place % 2 === 0 ? unknownId : me.id }
  const id = own ?? unknownId
  const forms = [`{${id}}`, id.replaceAll('-', ''), `${id} `, id.slice(1), 'nonsense', `'${id}`]
  return { id: nth(forms, place) ?? 'nonsense' }
}

const nth = <Item>(items: Item[], place: number) => items[place % Math.max(1, items.length)]

/** The time this many hours after the start, in one of the formats that clients use. */
export function written(began: number, { hours, form }: { hours: number; form: number }) {
  const time = began + hours * 3_600_000
  const iso = new Date(time).toISOString()
  const east = new Date(time + 5.5 * 3_600_000).toISOString()
  const forms = [
    iso,
    iso.replace('Z', ''),
    east.replace('Z', '+05:30'),
    iso.replace('Z', '999Z').replace('T', ' '),
    iso.slice(0, 10),
  ]
  const value = forms[form] ?? iso
  return { value, time: form === 4 ? Date.parse(value) : time }
}

export function fill(body: Body, began: number, me: Owner, other: Owner): Filled {
  if ('text' in body) {
    return { ...body, values: {}, bad: ['body'], missing: [], asked: body.text }
  }
  const sent: Record<string, unknown> = noises(other)[body.noise] ?? {}
  for (const name of body.known) delete sent[name]
  const filled: Filled = {
    text: '',
    values: {},
    bad: [],
    missing: [],
    isJson: true,
    asked: '',
  }
  const asked: [string, unknown][] = []
  for (const [name, given] of Object.entries(body.fields)) {
    if (isVain(given) && !body.required.includes(name)) continue
    const { value, stored, ...found } = read(given)
    sent[name] = value
    if (found.bad !== undefined) filled.bad.push(name + found.bad)
    else filled.values[name] = stored
    if (found.isMissing) filled.missing.push(name)
    asked.push([name, 'hours' in given || 'stored' in given ? stored : value])
  }
  filled.text = JSON.stringify(sent)
  filled.asked = JSON.stringify(asked.toSorted(([one], [two]) => (one < two ? -1 : 1)))
  return filled

  /** Whether it refers to an own record although there is none: such references would make most requests fail. */
  function isVain(given: Sent) {
    return 'pick' in given && given.pick.whose === 'own' && me.rows[given.of].size === 0
  }

  function read(given: Sent): {
    value: unknown
    stored?: unknown
    bad?: string
    isMissing?: boolean
  } {
    if ('hours' in given) {
      const { value, time } = written(began, given)
      return { value, stored: time }
    }
    if ('pick' in given) {
      const { id, found } = idOf(given.of, given.pick, me, other)
      return { value: id, stored: found, isMissing: found === undefined }
    }
    if ('picks' in given) {
      const drawn = given.picks
        .filter((pick) => !isVain({ of: given.of, pick }))
        .map((pick) => idOf(given.of, pick, me, other))
      return {
        value: drawn.map(({ id }) => id),
        stored: drawn.map(({ found }) => found),
        isMissing: drawn.some(({ found }) => found === undefined),
      }
    }
    return given
  }
}

/** Extra fields of a body, which must have no effect. */
const noises = (other: Owner): Record<string, unknown>[] => [
  {},
  {
    id: unknownId,
    userId: other.id,
    user_id: other.id,
    isDefault: true,
    is_default: true,
    isAdmin: true,
    role: 'admin',
    email: 'stolen@example.com',
    createdAt: '2001-01-01T00:00:00Z',
    updatedAt: '2001-01-01T00:00:00Z',
    archivedAt: '2001-01-01T00:00:00Z',
    completedAt: '2001-01-01T00:00:00Z',
    cancelledAt: '2001-01-01T00:00:00Z',
    actualMinutes: 77,
    locked: true,
    sortOrder: 99,
    archived: true,
    completed: true,
    status: 'cancelled',
    source: 'auto',
    type: 'meeting',
    title: 'Noise',
    defended: true,
    explanation: 'Noise',
    parentTaskId: other.id,
    taskId: other.id,
    made_by_run: other.id,
    read: true,
  },
  JSON.parse(
    '{"__proto__": {"locked": true}, "constructor": {}, "": 1, "toString": "x"}',
  ) as Record<string, unknown>,
]
