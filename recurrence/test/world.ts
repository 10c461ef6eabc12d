// Simulates one series: a table with a unique key, a user who acts at random, and workers that run late, run twice
// at once, or crash. Every invariant is checked after each run of a worker.
import {
  decide,
  type Decision,
  keyOf,
  localDay,
  mostAhead,
  type Planned,
  type Series,
  settledBy,
  type Stored,
  type StoredTask,
} from '../src/index.ts'
import { existsIn } from '../src/days.ts'
import type { Random } from './random.ts'
import { daysBetween, plus, randomRule, randomSeries, type Wanted } from './random-series.ts'

export const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Asia/Kathmandu',
  'America/St_Johns',
]

type Row = Stored & { isTouched: boolean; dueOn: string }

export class Broken extends Error {}

export type Steps = { decisions: number; made: number; lapsed: number }

/** Simulates `days` days. Throws `Broken` if an invariant is violated. */
export function live(random: Random, from: Date, days: number, steps: Steps) {
  let now = from
  let zone = random.pick(zones)
  const born = localDay(now, zone)
  let { series, isWanted, interval } = randomSeries(random, born)
  const table = new Map<string, Row>()
  let settledTo = settledBy(series, now, zone)
  let isPaused = false
  /** Keys that were ever made: none is made a second time. */
  const everMade = new Set<string>()
  /** Days on which an occurrence may be missing: the first one, and those of a pause. */
  const free = new Set([born])
  const trail: string[] = []

  const fail = (what: string): never => {
    throw new Broken(`${what}\n${JSON.stringify(series)}\n${trail.slice(-25).join('\n')}`)
  }
  const note = (what: string) => trail.push(`${now.toISOString()} ${zone} ${what}`)

  const snapshot = () => ({ stored: [...table.values()], settledTo, count: table.size, isPaused })

  /** Writes as the database does: a key that exists is left alone, and a task that has changed does not lapse. */
  function write(decision: Decision) {
    for (const planned of decision.make) insert(planned)
    for (const { day, nth } of decision.lapseUnmade) {
      if (table.has(keyOf({ day, nth }))) continue
      if (day > localDay(now, zone)) fail(`${day} lapsed before its day`)
      steps.lapsed += 1
      table.set(keyOf({ day, nth }), {
        day,
        nth,
        state: 'lapsed',
        task: null,
        isTouched: false,
        dueOn: day,
      })
    }
    for (const key of decision.lapse) {
      const row = table.get(keyOf(key))!
      if (row.task?.status !== 'open' || row.task.dueAt === null || row.task.dueAt > now) continue
      steps.lapsed += 1
      row.state = 'lapsed'
      row.task = { ...row.task, status: 'cancelled', endedAt: now }
    }
    if (decision.settledTo > settledTo) settledTo = decision.settledTo
  }

  function insert({ day, nth, dueAt, startAfter }: Planned) {
    const key = keyOf({ day, nth })
    if (table.has(key)) return
    if (everMade.has(key)) fail(`${key} is made a second time`)
    if (startAfter >= dueAt) fail(`${key} is due before it begins`)
    everMade.add(key)
    steps.made += 1
    const task: StoredTask = { status: 'open', dueAt, endedAt: now }
    table.set(key, {
      day,
      nth,
      state: 'made',
      task,
      isTouched: false,
      dueOn: localDay(dueAt, zone),
    })
  }

  /** Runs the worker. Sometimes it crashes before it writes, and sometimes two have read the same state. */
  function work() {
    const first = decide(series, snapshot(), now, zone)
    steps.decisions += 1
    if (random.chance(0.1)) return note('killed')
    const second = random.chance(0.2) ? decide(series, snapshot(), now, zone) : undefined
    note(`made ${first.make.map(keyOf).join(' ')} lapsed ${first.lapse.map(keyOf).join(' ')}`)
    write(first)
    if (second) write(second)
    const again = decide(series, snapshot(), now, zone)
    if (again.make.length + again.lapse.length + again.lapseUnmade.length > 0) {
      fail(`decides again: ${JSON.stringify(again)}`)
    }
    if (!isPaused) check()
  }
  let isLast = false

  const rows = () => [...table.values()]
  const isOpen = ({ state, task }: Row) =>
    state === 'made' && (task?.status === 'open' || task?.status === 'in progress')
  const overdue = () =>
    rows().filter((row) => isOpen(row) && row.task!.dueAt !== null && row.task!.dueAt <= now)

  function check() {
    const idle = overdue().filter(({ task }) => task!.status === 'open')
    if (series.missed === 'lapse' && idle.length > 0) fail(`${keyOf(idle[0]!)} is overdue and open`)
    if (series.missed === 'wait' && idle.length > 1) fail('two are overdue')
    if (series.most !== null && table.size > series.most) fail('too many')
    const isFull = rows().filter(isOpen).length >= mostAhead
    const isWaiting = isFull || (series.missed === 'wait' && overdue().length > 0)
    const isOver = series.most !== null && table.size >= series.most
    if (series.kind === 'calendar') checkDays(isWaiting || isOver, isOver)
    if (series.kind === 'times') checkPeriods(isWaiting || isOver)
    if (series.kind === 'completion') checkChain(isOver)
  }

  /** Every wanted day from the start to the horizon has a row, and no other day has one. */
  function checkDays(mayStop: boolean, isOver: boolean) {
    const today = localDay(now, zone)
    const start = born > series.startsOn ? born : series.startsOn
    // Older days are checked only at the end.
    const recent = plus(localDay(now, zone), -50)
    let day = isLast || start > recent ? start : recent
    const last = plus(today, 15 + series.leadDays)
    const end = series.endsOn !== null && series.endsOn < last ? series.endsOn : last
    for (; day <= end; day = plus(day, 1)) {
      const has = table.has(`${day}/1`)
      const mayLack = free.has(day) || isOver || (mayStop && day >= today)
      if (isWanted(day) && !has && !mayLack && existsIn(zone, day)) fail(`nothing on ${day}`)
    }
    for (const row of rows()) {
      if (row.nth !== 1) fail(`${keyOf(row)} has a number`)
      if (!row.isTouched && !isWanted(row.day)) fail(`something on ${row.day}`)
      if (series.endsOn !== null && row.day > series.endsOn) fail(`${row.day} is after the end`)
    }
    const isAhead = rows().some((row) => isOpen(row))
    const isEnded = isOver || (series.endsOn !== null && series.endsOn <= plus(today, 400))
    if (!isAhead && !isEnded && !mayStop) fail('nothing is ahead')
  }

  /** Each period that has begun has the wanted number of occurrences, and no period has more. */
  function checkPeriods(mayStop: boolean) {
    const today = localDay(now, zone)
    const periods = Map.groupBy(rows(), ({ day }) => day)
    for (const [day, found] of periods) {
      if (found.length > series.times!) fail(`${found.length} in the period of ${day}`)
      const isFirst = day <= born || day < series.startsOn
      const isLast = series.endsOn !== null && plus(day, interval) > series.endsOn
      const wasFree = [...free].some((each) => each >= day && each < plus(day, interval))
      const isPart = isFirst || isLast || wasFree || mayStop
      if (found.length < series.times! && !isPart && day <= today) fail(`too few in ${day}`)
    }
    const keys = [...periods.keys()].toSorted()
    for (const [i, day] of keys.entries()) {
      const next = keys[i + 1]
      if (next === undefined || daysBetween(day, next) === interval) continue
      const wasFree = [...free].some((each) => each >= day && each <= plus(next, interval))
      if (!wasFree && !mayStop) fail(`no period between ${day} and ${next}`)
    }
  }

  /** Exactly one occurrence is open, unless the series is over. */
  function checkChain(isOver: boolean) {
    const open = rows().filter(isOpen)
    if (open.length > 1 && !open.some(({ isTouched }) => isTouched)) fail('two are open')
    const end = series.endsOn ?? '9999'
    if (open.length === 0 && !isOver && plus(localDay(now, zone), interval + 1) < end)
      fail('none is open')
  }

  const closeTask = (row: Row, status: StoredTask['status']) =>
    (row.task = { ...row.task!, status, endedAt: now })

  function act() {
    const open = rows().filter(isOpen)
    const row = open.length > 0 ? random.pick(open) : undefined
    const due =
      overdue()[0] ?? open.toSorted((a, b) => Number(a.task!.dueAt) - Number(b.task!.dueAt))[0]
    const what = random.below(100)
    if (what < 45 && due) {
      note(`complete ${keyOf(due)}`)
      closeTask(due, 'completed')
    } else if (what < 52 && row) {
      note(`skip ${keyOf(row)}`)
      closeTask(row, 'archived')
    } else if (what < 57 && row) {
      note(`delete ${keyOf(row)}`)
      Object.assign(row, { state: 'skipped', task: null })
    } else if (what < 66 && row) {
      const dueAt = random.chance(0.1)
        ? null
        : new Date(now.getTime() + (random.below(400) - 100) * 3_600_000)
      note(`move ${keyOf(row)} to ${dueAt?.toISOString()}`)
      row.task = { ...row.task!, dueAt }
      row.isTouched = true
    } else if (what < 70 && row) closeTask(row, 'in progress')
    else if (what < 74) reopen()
    else if (what < 77) pauseOrResume()
    else if (what < 80) changeZone()
    else if (what < 82 && series.kind === 'calendar' && !isPaused) changeRule()
  }

  function reopen() {
    const closed = rows().filter(
      ({ task }) => task && ['completed', 'archived', 'cancelled'].includes(task.status),
    )
    if (closed.length === 0) return
    const row = random.pick(closed)
    note(`open ${keyOf(row)} again`)
    closeTask(row, 'open')
    row.isTouched = true
    // With its old due time, which may be long over, it would lapse again.
    row.task = { ...row.task!, dueAt: new Date(now.getTime() + 86_400_000) }
  }

  let pausedOn = ''
  function pauseOrResume() {
    const today = localDay(now, zone)
    if (isPaused) {
      const settled = settledBy(series, now, zone)
      for (let day = plus(pausedOn, -1); day <= plus(today, 1); day = plus(day, 1)) free.add(day)
      if (settled > settledTo) settledTo = settled
    } else {
      // Days that were not yet settled when the series was paused do not count as missing.
      for (let day = settledTo; day <= today; day = plus(day, 1)) free.add(day)
      pausedOn = today
    }
    isPaused = !isPaused
    note(isPaused ? 'pause' : 'resume')
  }

  function changeZone() {
    zone = random.pick(zones)
    note('arrive')
    for (const row of rows()) {
      if (isOpen(row) && !row.isTouched && row.task!.dueAt! > now) row.dueOn = row.day
    }
  }

  /** Deletes future open occurrences without edits that the new rule does not have, as the service does. */
  function changeRule() {
    const today = localDay(now, zone)
    const old: Wanted = isWanted
    const { rule, isWanted: fresh } = randomRule(random, series.startsOn)
    note(`change to ${rule}`)
    for (const [key, row] of table) {
      const isToCome =
        isOpen(row) &&
        row.task!.status === 'open' &&
        row.task!.dueAt !== null &&
        row.task!.dueAt > now
      if (isToCome && !row.isTouched && !fresh(row.day)) {
        table.delete(key)
        everMade.delete(key)
      } else if (!fresh(row.day)) row.isTouched = true
    }
    series = { ...series, rule } satisfies Series
    // Days of the new rule before the change do not count as missing.
    for (let day = settledTo; day <= today; day = plus(day, 1)) free.add(day)
    const settled = settledBy(series, now, zone)
    if (settled > settledTo) settledTo = settled
    isWanted = (day) => (day < today ? old(day) : fresh(day))
  }

  for (let day = 0; day < days;) {
    const visits = random.pick([0, 1, 1, 2, 3])
    for (let visit = 0; visit < visits; visit += 1) {
      now = new Date(now.getTime() + random.below(Math.floor(86_400_000 / visits)))
      work()
      for (let acts = random.below(3); acts > 0; acts -= 1) act()
      if (random.chance(0.5)) work()
    }
    // Sometimes the workers are offline for two days or more.
    const length = random.chance(0.03) ? random.pick([2, 8, 40]) : 1
    now = new Date(now.getTime() + length * random.below(86_400_000))
    day += length
  }
  isLast = true
  work()
}
