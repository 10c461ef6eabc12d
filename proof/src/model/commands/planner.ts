// The model does not plan: it checks a plan against the contract's rules, and the resulting data against the plan.
import fc from 'fast-check'
import { check, type PlannedBlock, type Plan } from '@daywright/scheduler'
import { bodyFor, call, expect, idFor, type Scene } from '../call.ts'
import type { Answer } from '../client.ts'
import { command, event } from '../command.ts'
import { brief, difference, Divergence, earliest, type Stamp } from '../compare.ts'
import { isFresh } from '../fresh-id.ts'
import {
  type Block,
  clearAway,
  isActive,
  isOpen,
  now,
  type Run,
  type Task,
  touch,
} from '../model.ts'
import { findChanges, type PlannerInput, problemOf } from '../problem.ts'
import { look } from '../look.ts'
import { quiet } from '../quiet.ts'
import { listedBlocks, listedRuns } from '../show.ts'
import { body, pick, soon, whole } from '../values.ts'
import { readOn } from './history.ts'
import { windows } from './preferences.ts'

const rules = { scopes: ['planner'] }
const day = 86_400_000
const fiveMinutes = 300_000
const notFound = { error: 'Planner run not found' }
const outOfDate = { error: 'The data has changed since this preview: preview again' }
const anything = () => undefined

const isoOf = (time: number) => new Date(time).toISOString()

const lookAtBlocks = (scene: Scene) => {
  const { began } = scene.world
  const [from, to] = [began - 2 * day, began + 30 * day]
  const path = `/api/time-blocks?from=${isoOf(from)}&to=${isoOf(to)}`
  return look(scene, 'listTimeBlocks', path).then((answer) => ({ answer, from, to }))
}

const time = (text: unknown) => Date.parse(String(text))

const planOf = (shown: Answer['body']): PlannedBlock[] =>
  [...shown.blocks.unchanged, ...shown.blocks.moved, ...shown.blocks.added].map((block) => ({
    taskId: block.taskId,
    startAt: time(block.startAt),
    endAt: time(block.endAt),
    defended: block.defended,
    explanation: block.explanation,
  }))

/**
 * Checks a run with the independent checker, which shares no code with the planner. Which blocks keep their place is
 * not checked, so neither is the effect of `fromScratch`.
 */
function judge(
  scene: Scene,
  operation: string,
  shown: Answer['body'],
  { state, fromScratch }: Pick<Run, 'state' | 'fromScratch'>,
): Run {
  const { me } = scene
  const plannedAt = time(shown.plannedAt)
  // Only a preview's input is compared later, when it is applied, so only that has to be complete.
  const changes = state === 'preview' ? findChanges(me) : undefined
  const problem = problemOf(me, plannedAt, { changes, fromScratch })
  const { result } = shown
  const create = planOf(shown)
  const cancel = problem.blocks.filter((block) => makesWay(block, problem)).map(({ id }) => id)
  const plan: Plan = {
    version: shown.version,
    timezone: result.timezone,
    create,
    cancel,
    atRisk: shown.atRisk,
    unscheduled: shown.unscheduled,
    oversized: result.oversizedTaskIds,
    cost: shown.cost,
    bound: shown.bound,
  }
  const [broken] = check(problem, plan)
  if (broken) throw new Divergence(`${operation}: breaks "${broken.rule}": ${broken.detail}`)
  const { moved, unchanged, removed } = shown.blocks
  const gone = [...removed, ...unchanged, ...moved.map(({ from }: { from: object }) => from)]
  if (gone.length !== cancel.length) {
    throw new Divergence(
      `${operation}: ${cancel.length} blocks make way, and ${gone.length} are shown to`,
    )
  }
  expectSame(operation, shown.missed, missedOf(problem))
  expectSame(operation, shown.needsEstimate, needsEstimate(problem))
  const ids = (reasons: { taskId: string }[]) => reasons.map(({ taskId }) => taskId)
  expectSame(operation, result, {
    ok: true,
    timezone: me.timezone,
    tasksScheduled: create.length,
    tasksAtRisk: shown.atRisk.length,
    tasksUnscheduled: shown.unscheduled.length,
    tasksOversized: result.oversizedTaskIds.length,
    atRiskTaskIds: ids(shown.atRisk),
    unscheduledTaskIds: ids(shown.unscheduled),
    oversizedTaskIds: result.oversizedTaskIds,
  })
  return {
    id: shown.id,
    state,
    plannedAt,
    problem: JSON.stringify(problem),
    fromScratch,
    create,
    cancel,
    missed: problem.missed.map(({ blockId }) => blockId),
    shown,
    rank: (me.runs += 1),
  }
}

const missedOf = ({ missed }: PlannerInput) =>
  missed.map(({ startAt, endAt, ...block }) => ({
    ...block,
    startAt: isoOf(startAt),
    endAt: isoOf(endAt),
  }))

const needsEstimate = ({ tasks }: PlannerInput) =>
  tasks
    .filter((task) => isOpen(task) && task.autoSchedule && task.estimateMinutes === null)
    .map(({ id, title }) => ({ taskId: id, title }))

/** Whether a run cancels the block, by rules 4 and 5 of the contract. */
function makesWay(block: PlannerInput['blocks'][number], problem: PlannerInput) {
  const task = problem.tasks.find(({ id }) => id === block.taskId)
  if (!task || block.locked || block.startAt <= problem.now) return false
  if (block.source !== 'auto' || block.status !== 'scheduled') return false
  return !isOpen(task) || (task.autoSchedule && !task.locked)
}

function expectSame(operation: string, actual: unknown, expected: unknown) {
  const found = difference(expected, actual)
  if (found) throw new Divergence(`${operation}: ${found}`)
}

/** Cancels the blocks that the run's plan replaces, and the missed ones. */
function makeWay({ me }: Scene, run: Run, answer: Answer, at: number | Stamp) {
  for (const id of [...run.cancel, ...run.missed]) {
    const block = me.rows.blocks.get(id)
    if (!block) continue
    block.status = 'cancelled'
    block.cancelledAt = typeof at === 'number' ? at : { ...at }
    block.cancelReason = run.missed.includes(id) ? 'missed' : null
    block.cancelledByRun = run.id
    touch(block, answer)
  }
}

/** Adds the run's new blocks to the model, with their ids from the calendar. */
async function carryOut(scene: Scene, operation: string, run: Run, answer: Answer) {
  const { me } = scene
  const { answer: calendar, from, to } = await lookAtBlocks(scene)
  const isThere = ({ id }: { id: string }) => me.rows.blocks.has(id)
  const fresh = (calendar.body as Answer['body'][]).filter((block) => !isThere(block))
  const createdAt = now(answer)
  const places = (blocks: { taskId: string; startAt: string; endAt: string }[]) =>
    blocks.map(({ taskId, startAt, endAt }) => `${taskId} ${startAt} ${endAt}`).toSorted()
  const planned = run.create.map(({ taskId, startAt, endAt }) => ({
    taskId,
    startAt: isoOf(startAt),
    endAt: isoOf(endAt),
  }))
  expectSame(operation, places(fresh), places(planned))
  for (const shown of fresh) {
    const made = run.create.find(
      ({ taskId, startAt }) => taskId === shown.taskId && startAt === time(shown.startAt),
    )
    const task = me.rows.tasks.get(shown.taskId)
    if (!made || !task) throw new Divergence(`${operation}: ${brief(shown)} was not planned`)
    const block: Block = {
      id: isFresh(scene, shown.id),
      taskId: task.id,
      type: 'task',
      title: task.title,
      startAt: made.startAt,
      endAt: made.endAt,
      locked: false,
      defended: made.defended,
      source: 'auto',
      sortOrder: 0,
      status: 'scheduled',
      explanation: made.explanation,
      cancelReason: null,
      startedAt: null,
      completedAt: null,
      cancelledAt: null,
      reviewedAt: null,
      madeByRun: run.id,
      cancelledByRun: null,
      createdAt: { ...createdAt },
      updatedAt: { ...createdAt },
    }
    me.rows.blocks.set(block.id, block)
  }
  expect(calendar, operation, 200, listedBlocks(me, from, to))
}

const newestFirst = (runs: Iterable<Run>) => [...runs].toSorted((one, two) => two.rank - one.rank)

const slotFields = { minutes: whole(5, 480, 30, 60), count: whole(1, 8, 3) }
// Never both `from` and `until`: their order is checked only if no other field is invalid.
const slotSearches = fc.oneof(
  body({ ...slotFields, from: soon, windows }, ['minutes'], ['until']),
  body({ ...slotFields, until: soon }, ['minutes'], ['from', 'windows']),
)

/** Expects no new event, and an unchanged calendar. */
async function expectUnchanged(scene: Scene, operation: string) {
  await readOn(scene)
  const { answer: calendar, from, to } = await lookAtBlocks(scene)
  expect(calendar, operation, 200, listedBlocks(scene.me, from, to))
}

type Scratch = { query: string; fromScratch: boolean; badQuery: string[] }
const scratch = fc.constantFrom<Scratch>(
  ...Array.from({ length: 5 }, () => ({ query: '', fromScratch: false, badQuery: [] })),
  { query: '?fromScratch=true', fromScratch: true, badQuery: [] },
  { query: '?fromScratch=true', fromScratch: true, badQuery: [] },
  { query: '?fromScratch=false', fromScratch: false, badQuery: [] },
  { query: '?fromScratch=yes', fromScratch: false, badQuery: ['fromScratch'] },
)

export const planner = [
  command('findPlannerStatus', {}, fc.constant({}), async (scene) => {
    const operation = 'findPlannerStatus'
    const request = { operation, method: 'GET', path: '/api/planner' }
    const answer = await quiet(() => call(scene, request))
    if (!answer) return
    const { projects } = scene.me.rows
    const isManual = ({ projectId }: Task) => projects.get(projectId ?? '')?.autoSchedule === false
    const tasks = [...scene.me.rows.tasks.values()].filter((task) => !isManual(task))
    const blocks = [...scene.me.rows.blocks.values()]
    const moment = answer.began
    const isPlanned = (id: string) =>
      blocks.some((block) => block.taskId === id && isActive(block, moment))
    expect(answer, operation, 200, {
      pendingTasks: tasks.filter((task) => task.status === 'todo' && task.autoSchedule).length,
      unscheduledTasks: tasks.filter(
        (task) => isOpen(task) && task.autoSchedule && !isPlanned(task.id),
      ).length,
      scheduledBlocks: blocks.filter(
        ({ status, endAt }) => status === 'scheduled' && endAt > moment,
      ).length,
    })
  }),

  command('runPlanner', rules, scratch, async (scene, { query, fromScratch, badQuery }) => {
    const operation = 'runPlanner'
    const { me } = scene
    const path = `/api/planner${query}`
    const answer = await call(scene, { operation, method: 'POST', path, rules, badQuery })
    if (!answer) return
    expect(answer, operation, 200, anything)
    const runId = isFresh(scene, answer.headers['planner-run-id'])
    const shown = await look(scene, 'findPlannerRun', `/api/planner/runs/${runId}`)
    expectWithin(operation, shown.body.plannedAt, answer)
    expectSame(operation, answer.body, shown.body.result)
    if (shown.body.state !== 'applied') throw new Divergence(`${operation}: is not applied`)
    const run = judge(scene, operation, shown.body, { state: 'applied', fromScratch })
    me.rows.runs.set(run.id, run)
    makeWay(scene, run, answer, run.plannedAt)
    clearAway(me.rows, run.plannedAt, answer)
    await carryOut(scene, operation, run, answer)
  }),

  command('previewPlan', rules, scratch, async (scene, { query, fromScratch, badQuery }) => {
    const operation = 'previewPlan'
    const path = `/api/planner/preview${query}`
    const answer = await call(scene, { operation, method: 'POST', path, rules, badQuery })
    if (!answer) return
    expect(answer, operation, 200, anything)
    isFresh(scene, answer.body.id)
    expectWithin(operation, answer.body.plannedAt, answer)
    if (answer.body.state !== 'preview') throw new Divergence(`${operation}: is no preview`)
    await readOn(scene)
    const run = judge(scene, operation, answer.body, { state: 'preview', fromScratch })
    scene.me.rows.runs.set(run.id, run)
    const { answer: calendar, from, to } = await lookAtBlocks(scene)
    expect(calendar, operation, 200, listedBlocks(scene.me, from, to))
  }),

  // Forecasts and slots depend on the planner, so the model checks only that they are possible and change nothing.
  command('forecastPlan', rules, fc.constant({}), async (scene) => {
    const operation = 'forecastPlan'
    const path = '/api/planner/forecast'
    const answer = await call(scene, { operation, method: 'GET', path, rules })
    if (!answer) return
    expect(answer, operation, 200, anything)
    const { timezone, chances, weeks, waysOut } = answer.body
    expectSame(operation, timezone, scene.me.timezone)
    for (const { taskId, dueAt, chance } of chances) {
      const task = scene.me.rows.tasks.get(taskId)
      if (!task || !isOpen(task)) throw new Divergence(`${operation}: ${taskId} is not open`)
      expectSame(operation, time(dueAt), task.dueAt)
      if (!(chance >= 0 && chance <= 1)) throw new Divergence(`${operation}: ${chance}`)
    }
    for (const { windowMinutes, busyMinutes, plannedMinutes, freeMinutes } of weeks) {
      expectSame(operation, windowMinutes, busyMinutes + plannedMinutes + freeMinutes)
    }
    for (const { change, effect } of waysOut) {
      expectSame(operation, effect.becomeLate, [])
      if (change.kind === 'postpone' && !scene.me.rows.tasks.has(change.taskId)) {
        throw new Divergence(`${operation}: ${change.taskId} is no task`)
      }
    }
    await expectUnchanged(scene, operation)
  }),

  command('findSlots', rules, slotSearches, async (scene, drawn) => {
    const operation = 'findSlots'
    const given = bodyFor(scene, drawn)
    const path = '/api/planner/slots'
    const answer = await call(scene, { operation, method: 'POST', path, rules, body: given })
    if (!answer) return
    expect(answer, operation, 200, anything)
    const { minutes, from = 0, until = Infinity, count = 3 } = given.values
    const { timezone, slots } = answer.body
    expectSame(operation, timezone, scene.me.timezone)
    if (slots.length > count) throw new Divergence(`${operation}: ${slots.length} slots`)
    const kept = [...scene.me.rows.blocks.values()].filter(
      ({ source, status }) => source === 'manual' && status === 'scheduled',
    )
    for (const slot of slots) {
      const [start, end] = [time(slot.startAt), time(slot.endAt)]
      const isInRange = start >= Math.max(from, answer.began) && end <= until
      const isTaken = kept.some(({ startAt, endAt }) => startAt < end && endAt > start)
      if (end - start !== minutes * 60_000 || !isInRange || isTaken) {
        throw new Divergence(`${operation}: ${brief(slot)} is no slot for ${brief(given.values)}`)
      }
    }
    await expectUnchanged(scene, operation)
  }),

  command('listPlannerRuns', {}, fc.constant({}), async (scene) => {
    const operation = 'listPlannerRuns'
    const answer = await call(scene, { operation, method: 'GET', path: '/api/planner/runs' })
    if (answer) expect(answer, operation, 200, listedRuns(scene.me))
  }),

  command('findPlannerRun', {}, pick, async (scene, pick) => {
    const operation = 'findPlannerRun'
    const { segment, found } = idFor(scene, 'runs', pick)
    const path = `/api/planner/runs/${segment}`
    const answer = await call(scene, { operation, method: 'GET', path })
    if (!answer) return
    const run = scene.me.rows.runs.get(found)
    if (!run) return expect(answer, operation, 404, notFound)
    expect(answer, operation, 200, { ...run.shown, state: run.state })
  }),

  command(
    'applyPlannerRun',
    rules,
    fc.record({ pick, last: fc.constantFrom(true, true, false) }),
    async (scene, drawn) => {
      const operation = 'applyPlannerRun'
      const { me } = scene
      const newest = newestFirst(me.rows.runs.values())
      const last = drawn.last ? newest.find(({ state }) => state === 'preview') : undefined
      const { segment, found } = last
        ? { segment: last.id, found: last.id }
        : idFor(scene, 'runs', drawn.pick)
      await readOn(scene)
      const path = `/api/planner/runs/${segment}/apply`
      const request = { operation, method: 'POST', path, rules }
      const answer = await quiet(() => call(scene, request))
      if (!answer) return
      const run = me.rows.runs.get(found)
      if (!run) return expect(answer, operation, 404, notFound)
      if (run.state !== 'preview') {
        return expect(answer, operation, 409, { error: 'This run has already been applied' })
      }
      const isKept = newest.indexOf(run) < 5
      const { plannedAt, fromScratch } = run
      const current = problemOf(me, plannedAt, { changes: findChanges(me), fromScratch })
      const problem = JSON.stringify(current)
      const mark = Math.ceil(answer.began / fiveMinutes) * fiveMinutes
      const isAhead = run.create.every(({ startAt }) => startAt >= mark)
      if (!isKept || problem !== run.problem || !isAhead) {
        return expect(answer, operation, 409, outOfDate)
      }
      expect(answer, operation, 200, run.shown.result)
      run.state = 'applied'
      run.rank = me.runs += 1
      makeWay(scene, run, answer, now(answer))
      await carryOut(scene, operation, run, answer)
    },
  ),

  command(
    'undoPlannerRun',
    rules,
    fc.record({ pick, last: fc.constantFrom(true, true, false) }),
    async (scene, drawn) => {
      const operation = 'undoPlannerRun'
      const { me } = scene
      const applied = newestFirst(me.rows.runs.values()).filter(({ state }) => state === 'applied')
      const last = drawn.last ? applied[0] : undefined
      const { segment, found } = last
        ? { segment: last.id, found: last.id }
        : idFor(scene, 'runs', drawn.pick)
      const path = `/api/planner/runs/${segment}/undo`
      const request = { operation, method: 'POST', path, rules }
      const answer = await quiet(() => call(scene, request))
      if (!answer) return
      const run = me.rows.runs.get(found)
      if (!run) return expect(answer, operation, 404, notFound)
      if (run.state !== 'applied') {
        return expect(answer, operation, 409, { error: 'This run has not been applied' })
      }
      if (run !== applied[0]) {
        return expect(answer, operation, 409, { error: 'Only the last run can be undone' })
      }
      const counts = turnRound(scene, run, answer)
      expect(answer, operation, 200, { ok: true, ...counts })
      run.state = 'undone'
      const { answer: calendar, from, to } = await lookAtBlocks(scene)
      expect(calendar, operation, 200, listedBlocks(me, from, to))
    },
  ),
]

/** Removes the run's blocks and restores those that it cancelled, where nothing is in their way. */
function turnRound({ me }: Scene, run: Run, answer: Answer) {
  const { blocks, tasks } = me.rows
  const all = [...blocks.values()].filter(({ startAt }) => startAt > answer.began)
  const made = all.filter(
    (block) =>
      block.madeByRun === run.id &&
      block.status === 'scheduled' &&
      block.source === 'auto' &&
      !block.locked,
  )
  for (const block of made) {
    block.status = 'cancelled'
    block.cancelledAt = now(answer)
    touch(block, answer)
  }
  const former = all.filter(
    ({ status, cancelledByRun }) => status === 'cancelled' && cancelledByRun === run.id,
  )
  const busy = [...blocks.values()].filter(({ status }) => status !== 'cancelled')
  const restored = former.filter((block) => {
    const task = tasks.get(block.taskId ?? '')
    const isFree = !busy.some(
      ({ startAt, endAt }) => startAt < block.endAt && endAt > block.startAt,
    )
    return task !== undefined && isOpen(task) && isFree
  })
  for (const block of restored) {
    block.status = 'scheduled'
    block.cancelledAt = null
    block.cancelReason = null
    block.cancelledByRun = null
    touch(block, answer)
  }
  return {
    restored: restored.length,
    cancelled: made.length,
    skipped: former.length - restored.length,
  }
}

function expectWithin(operation: string, plannedAt: unknown, { began, ended }: Answer) {
  if (time(plannedAt) >= began && time(plannedAt) <= ended) return
  throw new Divergence(`${operation}: planned at ${String(plannedAt)}, which is not now`)
}

/** Weeks pass: archived tasks and cancelled blocks become old enough to be deleted. */
export const weeksGoBy = event('(weeks go by)', async ({ world, me, act }) => {
  const days = [8, 29, 31, 31, 31][act.place % 5] ?? 8
  await world.db.query(
    `update tasks set archived_at = archived_at - $2 * interval '1 day' where user_id = $1`,
    [me.id, days],
  )
  await world.db.query(
    `update time_blocks set cancelled_at = cancelled_at - $2 * interval '1 day' where user_id = $1`,
    [me.id, days],
  )
  for (const task of me.rows.tasks.values()) task.archivedAt = before(task.archivedAt, days)
  for (const block of me.rows.blocks.values()) block.cancelledAt = before(block.cancelledAt, days)
})

function before(moment: Block['cancelledAt'], days: number) {
  if (moment === null) return null
  if (typeof moment === 'number') return moment - days * day
  return { earliest: earliest(moment) - days * day, latest: moment.latest - days * day }
}
