// A follower that reads only a user's events, in order, and derives the user's records from them.
import type { Answer } from './client.ts'
import { brief, difference, Divergence } from './compare.ts'
import { type During, type Rows, touch } from './model.ts'
import {
  bareTask,
  blockInEvents,
  documentInEvents,
  itemOf,
  labelOf,
  preferenceOf,
  projectInEvents,
  spaceInEvents,
  type Viewer,
} from './show.ts'
import type { Person } from './world.ts'

type State = Record<string, unknown>
export type Event = {
  id: string
  at: string
  type: string
  recordId: string
  before: State | null
  after: State | null
  actor: { kind: string; id?: string }
}

export type Followed = {
  /** The last event that was read. */
  at: string
  events: Event[]
  /** Records by type and id; undefined if one is not known for sure. */
  records: Map<string, State | undefined>
  /** Tasks and blocks that were edited without effect: `updatedAt` has changed, but there is no event. */
  sameAgain: Set<string>
}

const shown = {
  space: ['spaces', spaceInEvents],
  label: ['labels', labelOf],
  project: ['projects', projectInEvents],
  document: ['documents', documentInEvents],
  schedulePreference: ['preferences', preferenceOf],
  checklistItem: ['items', (_viewer: Viewer, item: Row<'items'>) => itemOf(item)],
  timeBlock: ['blocks', blockInEvents],
  task: [
    'tasks',
    (viewer: Viewer, task: Row<'tasks'>) => ({
      ...bareTask(viewer, task),
      labelIds: [...task.labelIds].toSorted(),
    }),
  ],
} as const

type Row<Kind extends keyof Rows> = Rows[Kind] extends Map<string, infer Found> ? Found : never

/** Every record of the model, as events should show it. */
function recordsOf(viewer: Viewer) {
  return new Map<string, object>(
    Object.entries(shown).flatMap(([name, [kind, show]]) =>
      [...viewer.rows[kind].values()].map((row): [string, object] => [
        `${name} ${row.id}`,
        (show as (viewer: Viewer, row: object) => object)(viewer, row),
      ]),
    ),
  )
}

/** The initial state, which has no events. */
export function followedFrom(viewer: Viewer): Followed {
  const records = new Map<string, State>()
  for (const [name, record] of recordsOf(viewer)) {
    records.set(name, JSON.parse(asWritten(record)) as State)
  }
  return { at: '0-0', events: [], records, sameAgain: new Set() }
}

const asWritten = (record: object) =>
  JSON.stringify(record, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && 'earliest' in value
      ? new Date(Number(value.earliest)).toISOString()
      : value,
  )

export const changesSince = ({ followed }: Person, limit = 1000) =>
  `/api/changes?since=${followed.at}&limit=${limit}`

/** Reads a page of changes; true if there is another. */
export function read(me: Person, { body }: Answer, limit = 1000) {
  const { followed } = me
  const wrong = difference(
    {
      events: () => undefined,
      next: () => undefined,
      more: () => undefined,
      resyncRequired: false,
    },
    body,
  )
  if (wrong) throw new Divergence(`changes: ${wrong}`)
  const events = body.events as Event[]
  for (const event of events) {
    try {
      take(me, event)
    } catch (error) {
      throw new Divergence(`event ${brief(event)}: ${(error as Error).message}`)
    }
  }
  if (body.next !== followed.at || events.length > limit || (body.more && events.length === 0)) {
    throw new Divergence(`changes: ${events.length} events up to ${followed.at}, and ${body.next}`)
  }
  return Boolean(body.more)
}

function take(me: Person, event: Event) {
  const { followed } = me
  const { records } = followed
  const { id, type, recordId, before, after, actor } = event
  if (!follows(id, followed.at)) throw new Error(`it comes after ${followed.at}`)
  followed.at = id
  followed.events.push(event)
  const kinds = ['person', 'key', 'admin']
  if (!kinds.includes(actor.kind)) throw new Error('unexpected actor')
  if (
    actor.kind === 'key' &&
    !me.rows.keys.has(actor.id ?? '') &&
    !me.gone.includes(actor.id ?? '')
  )
    throw new Error('that is no key of theirs')
  const [record = '', what = ''] = type.split('.')
  if (record === 'plannerRun') return forgetBlocks(records, after ?? {})
  if (!(record in shown)) return
  const name = `${record} ${recordId}`
  const known = records.get(name)
  if ((before === null) !== (what === 'created') || (after === null) !== (what === 'deleted')) {
    throw new Error('before and after do not tell of that')
  }
  if (what === 'created' && records.has(name)) throw new Error('it was there before')
  if (what !== 'created' && !records.has(name)) throw new Error('it was not there')
  if (before && known) {
    const past = Object.fromEntries(Object.keys(known).map((field) => [field, before[field]]))
    if (followed.sameAgain.has(name)) past.updatedAt = known.updatedAt
    const wrong = difference(known, past)
    if (wrong) throw new Error(`before: ${wrong}`)
  }
  if (after) records.set(name, after)
  else records.delete(name)
  if (record === 'task' && after) renameBlocks(records, recordId, after)
  if (what === 'deleted') goesWith(records, record, recordId)
}

/** The title of a task's block is that of the task, without an event of the block. */
function renameBlocks(records: Followed['records'], taskId: string, { title }: State) {
  for (const [name, state] of records) {
    if (name.startsWith('timeBlock ') && state?.taskId === taskId) {
      records.set(name, { ...state, title })
    }
  }
}

/** Whether the event directly follows the last one: neither numbers nor parts may have gaps. */
function follows(id: string, last: string) {
  const [seq = 0, part = 0] = last.split('-').map(Number)
  return id === `${seq}-${part + 1}` || id === `${seq + 1}-1`
}

/** The event of a run contains only the ids of its blocks, so their state becomes unknown. */
function forgetBlocks(records: Followed['records'], after: State) {
  for (const field of ['createdBlockIds', 'cancelledBlockIds', 'restoredBlockIds']) {
    for (const id of (after[field] ?? []) as string[]) records.set(`timeBlock ${id}`, undefined)
  }
}

/** Updates the records that a deletion deletes or changes as well, without their own event. */
function goesWith(records: Followed['records'], record: string, id: string) {
  for (const [name, state] of records) {
    if (record === 'task' && name.startsWith('checklistItem ') && state?.taskId === id) {
      records.delete(name)
    }
    // There are no events for cancelled blocks of the planner.
    if (record === 'task' && isOff(name, state) && state?.taskId === id) {
      records.set(name, undefined)
    }
    if (record === 'label' && name.startsWith('task ') && state) {
      records.set(name, {
        ...state,
        labelIds: (state.labelIds as string[]).filter((each) => each !== id),
      })
    }
  }
}

/** A planner block that is cancelled, or may be. */
const isOff = (name: string, state: State | undefined) =>
  name.startsWith('timeBlock ') &&
  (!state || (state.status === 'cancelled' && state.source === 'auto'))

/** An edit of a task changes `updatedAt`; there is an event only if it has changed anything else. */
export function editTask(me: Person, task: Row<'tasks'>, during: During, change: () => void) {
  const shown = () => {
    const { updatedAt: _moved, ...rest } = bareTask(me, task)
    return JSON.stringify({ ...rest, labelIds: [...task.labelIds].toSorted() })
  }
  const before = shown()
  change()
  touch(task, during)
  if (shown() === before) me.followed.sameAgain.add(`task ${task.id}`)
}

/** Like `editTask`, for a missed block that the user decides on. */
export function editBlock(me: Person, block: Row<'blocks'>, during: During, change: () => void) {
  const shown = () => {
    const { updatedAt: _moved, ...rest } = blockInEvents(me, block)
    return JSON.stringify(rest)
  }
  const before = shown()
  change()
  touch(block, during)
  if (shown() === before) me.followed.sameAgain.add(`timeBlock ${block.id}`)
}

const toldOf = ({ followed }: Person, name: string, expected: object) =>
  followed.sameAgain.has(name) ? { ...expected, updatedAt: () => undefined } : expected

/** Checks that the follower knows exactly the existing records. */
export function compareFollowed(me: Person) {
  const { records } = me.followed
  const actual = recordsOf(me)
  for (const [name, expected] of actual) {
    const known = records.get(name)
    if (!records.has(name)) throw new Divergence(`no event told of ${name}`)
    const wrong = known && difference(toldOf(me, name, expected), known)
    if (wrong) throw new Divergence(`by the events, ${name}: ${wrong}`)
  }
  for (const [name, known] of records) {
    if (actual.has(name)) continue
    // Old cancelled blocks of the planner are deleted without an event.
    if (!isOff(name, known)) throw new Divergence(`no event told that ${name} is gone`)
    records.delete(name)
  }
}
