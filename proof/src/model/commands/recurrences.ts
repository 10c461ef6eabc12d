// Recurrences in the far future, with one occurrence each year from 2190, so that none is ever due and each has one
// task at a time. The worker's part is tested in recurrence/test/ and server/src/features/recurrences/.
import fc from 'fast-check'
import { bodyFor, call, expect, idFor, invalid, type Scene, success } from '../call.ts'
import type { Answer } from '../client.ts'
import { command } from '../command.ts'
import { Divergence } from '../compare.ts'
import { editTask } from '../follow.ts'
import { freshId, isFresh } from '../fresh-id.ts'
import { edit, isOpen, now, type Recurrence, type Task } from '../model.ts'
import { recurrenceOf } from '../show.ts'
import { body, type Field, pick, rarely, type Sent, text, whole } from '../values.ts'
import { forget, type Person } from '../world.ts'
import { newTaskOf, taskNotFound } from './tasks.ts'

const notFound = { error: 'Recurrence not found' }
const noOccurrence = { error: 'Occurrence not found' }
const path = (segment: string, rest = '') => `/api/recurrences/${segment}${rest}`

const only = (...values: unknown[]): Field => ({
  good: fc.constantFrom(...values).map((value): Sent => ({ value, stored: value })),
  bad: fc
    .constantFrom<unknown>(7, null, '', '2190-02-30', 'x')
    .map((value): Sent => ({ value, bad: '' })),
})
const title = text(1, 500)
const task: Field = {
  good: title.good.map((given): Sent => {
    const value = { title: (given as { value: string }).value }
    return { value, stored: value }
  }),
  bad: fc.constantFrom<unknown>(7, 'x', []).map((value): Sent => ({ value, bad: '' })),
}
const rule = {
  kind: only('calendar'),
  rule: {
    ...only('FREQ=YEARLY'),
    // Other invalid texts are refused only after the Idempotency-Key check.
    bad: fc.constantFrom<unknown>(7, null, '').map((value): Sent => ({ value, bad: '' })),
  },
  startsOn: only('2190-03-05'),
}
const ruleNames = Object.keys(rule)
const dayOf = (year: number) => `${year}-03-05`
const key = { day: only(...[2189, 2190, 2191, 2192, 2193].map(dayOf)) }

const defaults = {
  description: '',
  priority: 'none',
  estimateMinutes: null,
  minSessionMinutes: 5,
  maxSessionMinutes: 60,
  cooldownMinutes: 5,
  autoSchedule: true,
  autoSplit: true,
  spaceId: null,
  projectId: null,
  schedulePreferenceId: null,
  labelIds: [] as string[],
}

const wordsOf = (endsOn: string | null) =>
  `every year on 5 March${endsOn ? `, until 4 March ${endsOn.slice(0, 4)}` : ''}`

function newRecurrence(id: string, answer: Answer, given: object, template: object): Recurrence {
  const createdAt = now(answer)
  return {
    id,
    kind: 'calendar',
    rule: 'FREQ=YEARLY',
    times: null,
    startsOn: '2190-03-05',
    endsOn: null,
    most: null,
    startTime: '00:00',
    dueTime: null,
    leadDays: 0,
    missed: 'wait',
    preferredTime: null,
    checklist: [],
    words: wordsOf(null),
    follows: null,
    pausedAt: null,
    ...given,
    task: { ...defaults, ...template },
    createdAt,
    updatedAt: createdAt,
    occurrences: new Map(),
  }
}

const day = 86_400_000
const timesOf = (on: string, leadDays: number) => ({
  startAfter: Date.parse(on) - leadDays * day,
  dueAt: Date.parse(`${on}T23:59:00Z`),
})

const taskOn = ({ rows }: Person, { occurrences }: Recurrence, on: string) =>
  rows.tasks.get(occurrences.get(on)?.taskId ?? '')

const openOnes = (me: Person, recurrence: Recurrence) =>
  [...recurrence.occurrences.keys()].flatMap((on) => {
    const found = taskOn(me, recurrence, on)
    return found && isOpen(found) ? [{ on, task: found }] : []
  })

/** Adds the expected occurrence to the model: on `also`, or, if none is open, on the first day without one. */
async function settle(scene: Scene, recurrence: Recurrence, answer: Answer, also?: string) {
  const { me } = scene
  const { occurrences, endsOn, startsOn, pausedAt } = recurrence
  const wanted = also ? [also] : []
  if (!also && !pausedAt && openOnes(me, recurrence).length === 0) {
    let year = Number(startsOn.slice(0, 4))
    while (occurrences.has(dayOf(year))) year += 1
    if (endsOn === null || dayOf(year) <= endsOn) wanted.push(dayOf(year))
  }
  const { rows } = await scene.world.db.query<{ day: string; id: string | null }>(
    `select on_day::text as day, task_id as id from occurrences
      where user_id = $1 and recurrence_id = $2 order by on_day`,
    [me.id, recurrence.id],
  )
  const days = rows.map((row) => row.day).join()
  const expected = [...occurrences.keys(), ...wanted].toSorted().join()
  if (days !== expected) throw new Divergence(`occurrences should be ${expected} and are ${days}`)
  for (const on of wanted) {
    const id = isFresh(scene, rows.find((row) => row.day === on)?.id)
    const made = newTaskOf(id, answer, {
      ...recurrence.task,
      ...timesOf(on, recurrence.leadDays),
      ...(also && { status: 'archived' }),
    })
    me.rows.tasks.set(id, made)
    occurrences.set(on, { taskId: id, stamp: made.updatedAt })
  }
}

/** Open occurrences that the user has not edited take over the title and the times of the recurrence. */
function follow(me: Person, recurrence: Recurrence, answer: Answer) {
  for (const { on, task } of openOnes(me, recurrence)) {
    const occurrence = recurrence.occurrences.get(on)!
    if (occurrence.stamp !== task.updatedAt || task.status === 'in_progress') continue
    editTask(me, task, answer, () => {
      task.title = String(recurrence.task.title)
      Object.assign(task, timesOf(on, recurrence.leadDays))
    })
    occurrence.stamp = task.updatedAt
  }
}

function archive(me: Person, task: Task, answer: Answer) {
  editTask(me, task, answer, () => {
    task.status = 'archived'
    task.archivedAt = now(answer)
  })
}

const isoOf = (time: number | null) => (time === null ? null : new Date(time).toISOString())

function occurrenceOf(me: Person, recurrence: Recurrence, on: string) {
  const found = taskOn(me, recurrence, on)
  return {
    day: on,
    nth: 1,
    state: stateOf(found),
    startAfter: isoOf(found?.startAfter ?? null),
    dueAt: isoOf(found?.dueAt ?? null),
    taskId: found?.id ?? null,
  }
}

/** The state of an occurrence. If its task was deleted, the model does not know whether it was completed before. */
function stateOf(task: Task | undefined) {
  if (!task)
    return (state: unknown) => (state === 'done' || state === 'skipped' ? undefined : 'over')
  if (isOpen(task)) return 'open'
  return task.status === 'completed' ? 'done' : 'skipped'
}

const recurrenceOfTask = ({ rows }: Person, taskId: string) => {
  for (const recurrence of rows.recurrences.values()) {
    for (const [on, occurrence] of recurrence.occurrences) {
      if (occurrence.taskId === taskId && rows.tasks.has(taskId)) return { recurrence, on }
    }
  }
  return undefined
}

/** A command on one recurrence. */
const onOne = (
  operation: string,
  method: string,
  rest: string,
  run: (scene: Scene, recurrence: Recurrence, answer: Answer) => unknown,
) =>
  command(operation, {}, pick, async (scene, pick) => {
    const { segment, found } = idFor(scene, 'recurrences', pick)
    const answer = await call(scene, { operation, method, path: path(segment, rest) })
    if (!answer) return
    const recurrence = scene.me.rows.recurrences.get(found)
    if (!recurrence) return expect(answer, operation, 404, notFound)
    await run(scene, recurrence, answer)
  })

/** A command on one occurrence. */
const onDay = (
  operation: string,
  rest: string,
  run: (scene: Scene, recurrence: Recurrence, on: string, answer: Answer) => unknown,
) =>
  command(
    operation,
    {},
    fc.record({ pick, drawn: body(key, ['day']) }),
    async (scene, { pick, drawn }) => {
      const { segment, found } = idFor(scene, 'recurrences', pick)
      const given = bodyFor(scene, drawn)
      const request = { operation, method: 'POST', path: path(segment, rest), body: given }
      const answer = await call(scene, request)
      if (!answer) return
      const recurrence = scene.me.rows.recurrences.get(found)
      if (!recurrence) return expect(answer, operation, 404, notFound)
      await run(scene, recurrence, String(given.values.day), answer)
    },
  )

export const recurrences = [
  command('listRecurrences', {}, fc.constant({}), async (scene) => {
    const operation = 'listRecurrences'
    const answer = await call(scene, { operation, method: 'GET', path: '/api/recurrences' })
    const count = scene.me.rows.recurrences.size
    if (answer && answer.body.length !== count) throw new Divergence(`${operation}: not ${count}`)
  }),

  command('listComingOccurrences', {}, fc.constant({}), async (scene) => {
    const operation = 'listComingOccurrences'
    const from = new Date().toISOString().slice(0, 10)
    const to = new Date(Date.now() + 60 * day).toISOString().slice(0, 10)
    const path = `/api/recurrences/coming?from=${from}&to=${to}`
    const answer = await call(scene, { operation, method: 'GET', path })
    if (answer) expect(answer, operation, 200, [])
  }),

  command('previewRecurrence', {}, body(rule, ruleNames), async (scene, drawn) => {
    const operation = 'previewRecurrence'
    const given = bodyFor(scene, drawn)
    const request = { operation, method: 'POST', path: '/api/recurrences/preview', body: given }
    const answer = await call(scene, request)
    if (!answer) return
    // Occurrences end with the year 2199.
    const next = Array.from({ length: 10 }, (_, i) => {
      const { startAfter, dueAt } = timesOf(dayOf(2190 + i), 0)
      return { day: dayOf(2190 + i), nth: 1, startAfter: isoOf(startAfter), dueAt: isoOf(dueAt) }
    })
    expect(answer, operation, 200, { words: wordsOf(null), next })
  }),

  command(
    'createRecurrence',
    {},
    body({ ...rule, task }, [...ruleNames, 'task']),
    async (scene, drawn) => {
      const operation = 'createRecurrence'
      const given = bodyFor(scene, drawn)
      const request = { operation, method: 'POST', path: '/api/recurrences', body: given }
      const answer = await call(scene, request)
      if (!answer) return
      const made = newRecurrence(freshId(scene, answer), answer, {}, given.values.task as object)
      expect(answer, operation, 201, recurrenceOf(made))
      scene.me.rows.recurrences.set(made.id, made)
      await settle(scene, made, answer)
    },
  ),

  onOne('findRecurrence', 'GET', '', (_scene, recurrence, answer) =>
    expect(answer, 'findRecurrence', 200, recurrenceOf(recurrence)),
  ),

  command(
    'updateRecurrence',
    {},
    fc.record({ pick, changes: body({ task, leadDays: whole(0, 366, 3) }) }),
    async (scene, { pick, changes }) => {
      const operation = 'updateRecurrence'
      const { segment, found } = idFor(scene, 'recurrences', pick)
      const given = bodyFor(scene, changes)
      if (given.bad.length === 0 && Object.keys(given.values).length === 0) given.bad.push('body')
      const answer = await call(scene, {
        operation,
        method: 'PATCH',
        path: path(segment),
        body: given,
      })
      if (!answer) return
      const recurrence = scene.me.rows.recurrences.get(found)
      if (!recurrence) return expect(answer, operation, 404, notFound)
      const before = recurrence.updatedAt
      edit(recurrence, answer, () => {
        Object.assign(recurrence, given.values, {
          task: { ...recurrence.task, ...given.values.task },
        })
      })
      expect(answer, operation, 200, recurrenceOf(recurrence))
      if (recurrence.updatedAt !== before) follow(scene.me, recurrence, answer)
      await settle(scene, recurrence, answer)
    },
  ),

  onOne('pauseRecurrence', 'POST', '/pause', (_scene, recurrence, answer) => {
    edit(recurrence, answer, () => {
      recurrence.pausedAt ??= now(answer)
    })
    expect(answer, 'pauseRecurrence', 200, recurrenceOf(recurrence))
  }),

  onOne('resumeRecurrence', 'POST', '/resume', async (scene, recurrence, answer) => {
    const wasPaused = recurrence.pausedAt !== null
    edit(recurrence, answer, () => {
      recurrence.pausedAt = null
    })
    expect(answer, 'resumeRecurrence', 200, recurrenceOf(recurrence))
    if (wasPaused) await settle(scene, recurrence, answer)
  }),

  command(
    'splitRecurrence',
    {},
    fc.record({ pick, drawn: body({ from: only(...[2190, 2191, 2192].map(dayOf)) }, ['from']) }),
    async (scene, { pick, drawn }) => {
      const operation = 'splitRecurrence'
      const { me } = scene
      const { segment, found } = idFor(scene, 'recurrences', pick)
      const given = bodyFor(scene, drawn)
      const request = { operation, method: 'POST', path: path(segment, '/split'), body: given }
      const answer = await call(scene, request)
      if (!answer) return
      const old = me.rows.recurrences.get(found)
      if (!old) return expect(answer, operation, 404, notFound)
      const from = String(given.values.from)
      if (from <= old.startsOn || (old.endsOn !== null && from > old.endsOn)) {
        return expect(answer, operation, 400, invalid('from'))
      }
      const { leadDays, endsOn, task } = old
      const span = { startsOn: from, endsOn, leadDays, follows: old.id, words: wordsOf(endsOn) }
      const made = newRecurrence(freshId(scene, answer), answer, span, task)
      expect(answer, operation, 201, recurrenceOf(made))
      edit(old, answer, () => {
        old.endsOn = new Date(Date.parse(from) - day).toISOString().slice(0, 10)
        old.words = wordsOf(old.endsOn)
      })
      for (const [on, occurrence] of old.occurrences) {
        if (on < from) continue
        made.occurrences.set(on, occurrence)
        old.occurrences.delete(on)
      }
      me.rows.recurrences.set(made.id, made)
      await settle(scene, made, answer)
    },
  ),

  command(
    'deleteRecurrence',
    {},
    fc.record({ pick, open: rarely(fc.constantFrom('keep', 'archive', 'drop'), 2) }),
    async (scene, { pick, open }) => {
      const operation = 'deleteRecurrence'
      const { me } = scene
      const { segment, found } = idFor(scene, 'recurrences', pick)
      const answer = await call(scene, {
        operation,
        method: 'DELETE',
        path: path(segment, open ? `?open=${open}` : ''),
        badQuery: open === 'drop' ? ['open'] : [],
      })
      if (!answer) return
      const recurrence = me.rows.recurrences.get(found)
      if (!recurrence) return expect(answer, operation, 404, notFound)
      expect(answer, operation, 200, success)
      for (const { task } of open === 'keep' ? [] : openOnes(me, recurrence))
        archive(me, task, answer)
      forget(me, 'recurrences', found)
    },
  ),

  // All occurrences are too far in the future to be listed; only their counts are shown.
  onOne('listOccurrences', 'GET', '/occurrences', ({ me }, recurrence, answer) => {
    const states = [...recurrence.occurrences.keys()].map((on) =>
      stateOf(taskOn(me, recurrence, on)),
    )
    const open = states.filter((state) => state === 'open').length
    const others = (value: unknown) => (Number.isInteger(value) ? undefined : 'a number')
    const counts = { open, done: others, skipped: others, missed: 0 }
    expect(answer, 'listOccurrences', 200, { occurrences: [], counts })
    const { done, skipped } = answer.body.counts as { done: number; skipped: number }
    if (open + done + skipped !== states.length)
      throw new Divergence('listOccurrences: other numbers')
  }),

  onDay('skipOccurrence', '/skip', async (scene, recurrence, on, answer) => {
    const { me } = scene
    const { occurrences, startsOn, endsOn } = recurrence
    const isWithin = on >= startsOn && (endsOn === null || on <= endsOn)
    if (!occurrences.has(on) && !isWithin)
      return expect(answer, 'skipOccurrence', 404, noOccurrence)
    const task = taskOn(me, recurrence, on)
    if (!occurrences.has(on)) await settle(scene, recurrence, answer, on)
    else if (task && isOpen(task)) archive(me, task, answer)
    expect(answer, 'skipOccurrence', 200, occurrenceOf(me, recurrence, on))
  }),

  onDay('unskipOccurrence', '/unskip', ({ me }, recurrence, on, answer) => {
    const task = taskOn(me, recurrence, on)
    if (!task) return expect(answer, 'unskipOccurrence', 404, noOccurrence)
    if (task.status === 'archived' || task.status === 'cancelled') {
      editTask(me, task, answer, () => {
        task.status = 'todo'
        task.archivedAt = null
      })
    }
    expect(answer, 'unskipOccurrence', 200, occurrenceOf(me, recurrence, on))
  }),

  command('findTaskRecurrence', {}, pick, async (scene, pick) => {
    const operation = 'findTaskRecurrence'
    const { segment, found } = idFor(scene, 'tasks', pick)
    const answer = await call(scene, {
      operation,
      method: 'GET',
      path: `/api/tasks/${segment}/recurrence`,
    })
    if (!answer) return
    if (!scene.me.rows.tasks.has(found)) return expect(answer, operation, 404, taskNotFound)
    const recurring = recurrenceOfTask(scene.me, found)
    if (!recurring) return expect(answer, operation, 200, { recurrence: null, occurrence: null })
    const { recurrence, on } = recurring
    expect(answer, operation, 200, {
      recurrence: recurrenceOf(recurrence),
      occurrence: occurrenceOf(scene.me, recurrence, on),
    })
  }),

  command(
    'createTaskRecurrence',
    {},
    fc.record({ pick, drawn: body(rule, ruleNames) }),
    async (scene, { pick, drawn }) => {
      const operation = 'createTaskRecurrence'
      const { me } = scene
      const { segment, found } = idFor(scene, 'tasks', pick)
      const given = bodyFor(scene, drawn)
      const url = `/api/tasks/${segment}/recurrence`
      const answer = await call(scene, { operation, method: 'POST', path: url, body: given })
      if (!answer) return
      const task = me.rows.tasks.get(found)
      if (!task) return expect(answer, operation, 404, taskNotFound)
      if (recurrenceOfTask(me, found)) {
        return expect(answer, operation, 409, { error: 'The task already recurs' })
      }
      const names = ['title', ...Object.keys(defaults)] as (keyof Task)[]
      const template = Object.fromEntries(names.map((name) => [name, task[name]]))
      const labelIds = [...task.labelIds].toSorted()
      const made = newRecurrence(freshId(scene, answer), answer, {}, { ...template, labelIds })
      expect(answer, operation, 201, recurrenceOf(made))
      if (task.dueAt === null && isOpen(task)) {
        const { startAfter, dueAt } = timesOf(made.startsOn, 0)
        editTask(me, task, answer, () => {
          Object.assign(task, { dueAt, startAfter: task.startAfter ?? startAfter })
        })
      }
      made.occurrences.set(made.startsOn, { taskId: found, stamp: null })
      me.rows.recurrences.set(made.id, made)
      await settle(scene, made, answer)
    },
  ),
]
