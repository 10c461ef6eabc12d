import fc from 'fast-check'
import { newId } from '../../../../server/src/platform/db/new-id.ts'
import { bodyFor, call, expect, idFor, invalid, type Scene } from '../call.ts'
import type { Answer } from '../client.ts'
import { command, event } from '../command.ts'
import { between, Divergence, earliest } from '../compare.ts'
import { editBlock, editTask } from '../follow.ts'
import { lookAtBlock } from '../look.ts'
import { type Block, inOrder, isOpen, now, type Rows, type Task, touch } from '../model.ts'
import { cancelBlock, isMovable } from '../own-blocks.ts'
import { quiet, steady } from '../quiet.ts'
import { blockWithTask, listedBlock } from '../show.ts'
import { body, moment, pick, type Pick, rarely, whole } from '../values.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const notFound = { error: 'Time block not found' }
const anything = () => undefined

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Mostly a block for which the action makes sense. */
const target = fc.record({ pick, isLikely: fc.constantFrom(true, true, true, false) })
type Target = { pick: Pick; isLikely: boolean }

function targetFor(scene: Scene, { pick, isLikely }: Target, isWanted: (block: Block) => boolean) {
  const wanted = [...scene.me.rows.blocks.values()].filter(isWanted)
  const block = wanted[pick.place % Math.max(1, wanted.length)]
  return isLikely && block
    ? { id: block.id, segment: block.id, found: block.id }
    : idFor(scene, 'blocks', pick)
}

/** The time of the action, as the answer shows it. */
function timeOf(operation: string, answer: Answer, field: 'startedAt' | 'completedAt') {
  expect(answer, operation, 200, anything)
  const time = Date.parse(String(answer.body?.[field]))
  if (time >= answer.began && time <= answer.ended) return time
  throw new Divergence(`${operation}: ${field} is ${answer.body?.[field]}, which is not now`)
}

/** The start and end of a block that is started now; it ends at the next block that the planner does not move. */
function placeIfStarted(rows: Rows, block: Block, moment: number) {
  const length = block.endAt - block.startAt
  const late = moment - block.startAt
  const keepsTimes = late >= 0 && late <= 5 * minute && length >= 20 * minute
  const start = keepsTimes ? block.startAt : Math.floor(moment / minute) * minute
  const full = start + length
  const starts = [...rows.blocks.values()]
    .filter((other) => other !== block && other.status === 'scheduled')
    .filter(({ startAt }) => startAt > moment && startAt < full)
    .filter((other) => !isMovable(rows, other, moment))
    .map(({ startAt }) => startAt)
  return { start, full, end: Math.min(full, ...starts) }
}

function startRefusal(rows: Rows, block: Block, moment: number) {
  if (block.status !== 'scheduled') return 'Only a scheduled block can be started'
  if (block.taskId === null) return 'Only a block of a task can be started'
  const { full, end } = placeIfStarted(rows, block, moment)
  return end < Math.min(full, moment + 5 * minute)
    ? 'The next block that cannot be moved begins within 5 minutes'
    : undefined
}

/** Completes running blocks, and adds their minutes to their tasks. */
function stop({ me }: Scene, running: Block[], at: number, answer: Answer) {
  const spent = new Map<string, number>()
  for (const block of running) {
    const startedAt = block.startedAt === null ? undefined : earliest(block.startedAt)
    const isRecent = block.startAt >= at - day && block.startAt <= at
    // A PATCH may have started it at any time.
    const begun = isRecent ? block.startAt : (startedAt ?? Math.min(block.startAt, at - minute))
    const minutes = Math.max(1, Math.round((at - (startedAt ?? begun)) / minute))
    block.status = 'completed'
    block.completedAt = at
    block.startAt = begun
    block.endAt = Math.min(Math.max(at, begun + minute), begun + day)
    touch(block, answer)
    if (block.taskId === null) continue
    spent.set(block.taskId, (spent.get(block.taskId) ?? 0) + Math.min(1440, minutes))
  }
  for (const [taskId, minutes] of spent) {
    const task = me.rows.tasks.get(taskId)
    if (!task) continue
    const most = 2_147_483_647
    const sum = Math.min(most, (task.actualMinutes ?? 0) + minutes)
    editTask(me, task, answer, () => (task.actualMinutes = sum))
  }
}

const isScheduled = ({ status }: Block) => status === 'scheduled'
const isRunning = ({ status }: Block) => status === 'in_progress'

/** Blocks that the user still has to decide on. */
const mayBeDecidedOn = (block: Block, moment: number) =>
  (block.status === 'scheduled' && block.endAt <= moment) || block.cancelReason === 'missed'

export const blockActions = [
  command('startTimeBlock', {}, target, async (scene, drawn) => {
    const operation = 'startTimeBlock'
    const { me } = scene
    const { rows } = me
    const { segment, found } = targetFor(scene, drawn, isScheduled)
    const path = `/api/time-blocks/${segment}/start`
    const answer = await quiet(() => call(scene, { operation, method: 'POST', path }))
    if (!answer) return
    const block = rows.blocks.get(found)
    if (!block) return expect(answer, operation, 404, notFound)
    const error = steady(answer, (time) => startRefusal(rows, block, time))
    if (error) return expect(answer, operation, 409, { error })
    const at = timeOf(operation, answer, 'startedAt')
    const { start, end } = placeIfStarted(rows, block, at)
    const others = [...rows.blocks.values()].filter((other) => other !== block)
    const running = others.filter(isRunning)
    const inTheWay = others.filter((other) => other.startAt < end && isMovable(rows, other, at))
    Object.assign(block, { status: 'in_progress', startedAt: at, startAt: start, endAt: end })
    touch(block, answer)
    stop(scene, running, at, answer)
    for (const other of inTheWay) cancelBlock(other, answer)
    expect(answer, operation, 200, blockWithTask(me, block, true))
  }),

  command('stopTimeBlock', {}, target, async (scene, drawn) => {
    const operation = 'stopTimeBlock'
    const { segment, found } = targetFor(scene, drawn, isRunning)
    const path = `/api/time-blocks/${segment}/stop`
    const answer = await call(scene, { operation, method: 'POST', path })
    if (!answer) return
    const block = scene.me.rows.blocks.get(found)
    if (!block) return expect(answer, operation, 404, notFound)
    if (!isRunning(block)) {
      return expect(answer, operation, 409, { error: 'Only a block in progress can be stopped' })
    }
    stop(scene, [block], timeOf(operation, answer, 'completedAt'), answer)
    expect(answer, operation, 200, blockWithTask(scene.me, block, true))
  }),

  command(
    'extendTimeBlock',
    {},
    fc.record({ target, wanted: body({ minutes: whole(5, 240, 15, 30, 60) }, ['minutes']) }),
    async (scene, drawn) => {
      const operation = 'extendTimeBlock'
      const { rows } = scene.me
      const isOpenBlock = (block: Block) => isScheduled(block) || isRunning(block)
      const { segment, found } = targetFor(scene, drawn.target, isOpenBlock)
      const given = bodyFor(scene, drawn.wanted)
      const path = `/api/time-blocks/${segment}/extend`
      const answer = await call(scene, { operation, method: 'POST', path, body: given })
      if (!answer) return
      const block = rows.blocks.get(found)
      if (!block) return expect(answer, operation, 404, notFound)
      if (!isOpenBlock(block)) {
        const error = 'Only a scheduled or running block can be extended'
        return expect(answer, operation, 409, { error })
      }
      const end = block.endAt + given.values.minutes * minute
      if (end - block.startAt > day) return expect(answer, operation, 400, invalid('minutes'))
      const inTheWay = steady(answer, (time) =>
        [...rows.blocks.values()]
          .filter((other) => other !== block && isMovable(rows, other, time))
          .filter(({ startAt, endAt }) => startAt < end && endAt > block.endAt),
      )
      block.endAt = end
      if (isScheduled(block)) block.source = 'manual'
      touch(block, answer)
      for (const other of inTheWay) cancelBlock(other, answer)
      expect(answer, operation, 200, blockWithTask(scene.me, block, true))
    },
  ),

  command(
    'skipTimeBlock',
    {},
    fc.record({ target, wanted: body({ until: moment }, ['until']) }),
    async (scene, drawn) => {
      const operation = 'skipTimeBlock'
      const { me } = scene
      const { segment, found } = targetFor(scene, drawn.target, isScheduled)
      const given = bodyFor(scene, drawn.wanted)
      const path = `/api/time-blocks/${segment}/skip`
      const answer = await call(scene, { operation, method: 'POST', path, body: given })
      if (!answer) return
      const until = given.values.until as number
      const isOver = steady(answer, (time) => until <= time)
      if (isOver) return expect(answer, operation, 400, invalid('until'))
      const block = me.rows.blocks.get(found)
      if (!block) return expect(answer, operation, 404, notFound)
      const task = me.rows.tasks.get(block.taskId ?? '')
      if (!isScheduled(block) || !task) {
        const what = isScheduled(block) ? 'block of a task' : 'scheduled block'
        return expect(answer, operation, 409, { error: `Only a ${what} can be skipped` })
      }
      const others = steady(answer, (time) =>
        [...me.rows.blocks.values()].filter(
          (other) =>
            other !== block &&
            other.taskId === task.id &&
            other.source === 'auto' &&
            isScheduled(other) &&
            !other.locked &&
            other.endAt > time &&
            other.startAt < until,
        ),
      )
      for (const each of [block, ...others]) cancelBlock(each, answer, 'skipped')
      if (task.startAfter === null || task.startAfter < until) {
        editTask(me, task, answer, () => (task.startAfter = until))
      }
      expect(answer, operation, 200, blockWithTask(me, block, true))
    },
  ),

  command('listMissedBlocks', {}, fc.constant({}), async (scene) => {
    const operation = 'listMissedBlocks'
    const path = '/api/time-blocks/missed'
    const answer = await call(scene, { operation, method: 'GET', path })
    if (!answer) return
    const missed = steady(answer, (time) => missedBlocks(scene, time))
    const shown = missed.slice(0, 500).map((block) => listedBlock(scene.me, block, true))
    expect(answer, operation, 200, shown)
  }),

  command(
    'decideOnMissedBlocks',
    {},
    fc.record({
      action: fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom('plan-again', 'done', 'drop') },
        { weight: 1, arbitrary: fc.constantFrom('', undefined, null, 'Done', 7) },
      ),
      targets: fc.array(target, { minLength: 1, maxLength: 4 }),
      odd: rarely(
        fc.constantFrom<[unknown, string]>(
          [undefined, 'blockIds'],
          [[], 'blockIds'],
          ['all', 'blockIds'],
          [[7], 'blockIds.0'],
          [Array(501).fill('00000000-0000-0000-0000-000000000000'), 'blockIds'],
        ),
        15,
      ),
    }),
    async (scene, { action, targets, odd }) => {
      const operation = 'decideOnMissedBlocks'
      const { me } = scene
      const drawn = targets.map((each) =>
        targetFor(scene, each, (block) => mayBeDecidedOn(block, Date.now())),
      )
      const blockIds = odd ? odd[0] : drawn.map(({ id }) => id)
      const bad = drawn.flatMap(({ id }, place) => (guid.test(id) ? [] : [`blockIds.${place}`]))
      const isKnown = ['plan-again', 'done', 'drop'].includes(String(action))
      const answer = await call(scene, {
        operation,
        method: 'POST',
        path: '/api/time-blocks/missed',
        body: {
          text: JSON.stringify({ action, blockIds, status: 'completed' }),
          values: {},
          bad: [...(isKnown ? [] : ['action']), ...(odd ? [odd[1]] : bad)],
          missing: [],
          isJson: true,
          asked: JSON.stringify([action ?? null, blockIds ?? null]),
        },
      })
      if (!answer) return
      const named = new Set(drawn.map(({ found }) => found))
      const decided = steady(answer, (time) =>
        [...me.rows.blocks.values()].filter(
          (block) => named.has(block.id) && mayBeDecidedOn(block, time),
        ),
      )
      expect(answer, operation, 200, { updated: decided.length })
      for (const block of decided) {
        editBlock(me, block, answer, () => decide(block, String(action), answer))
      }
      if (action === 'drop') shortenTasks(scene, decided, answer)
      // The answer does not show the new times, so the blocks are read.
      for (const block of decided) await lookAtBlock(scene, block)
    },
  ),
]

/** The missed blocks of open tasks in the last 14 days, the latest first. */
function missedBlocks({ me }: Scene, time: number) {
  if (me.settings.missedBlocks === 'assume-done') return []
  const isListed = (block: Block) =>
    block.status === 'scheduled'
      ? block.endAt <= time && block.endAt > time - 14 * day
      : block.cancelReason === 'missed' &&
        block.reviewedAt === null &&
        earliest(block.cancelledAt) > time - 14 * day
  const ofOpenTask = ({ taskId }: Block) => {
    const task = me.rows.tasks.get(taskId ?? '')
    return task !== undefined && isOpen(task)
  }
  return inOrder(
    [...me.rows.blocks.values()].filter((block) => isListed(block) && ofOpenTask(block)),
    ({ startAt }) => -startAt,
    ({ id }) => id,
  )
}

function decide(block: Block, action: string, answer: Answer) {
  block.reviewedAt = now(answer)
  if (action === 'done') {
    block.status = 'completed'
    block.completedAt = now(answer)
    block.cancelledAt = null
    block.cancelReason = null
    return
  }
  block.status = 'cancelled'
  block.cancelledAt ??= now(answer)
  block.cancelReason = action === 'drop' ? 'skipped' : 'missed'
}

/** Subtracts the minutes of dropped blocks from the estimates of their tasks, or from the assumed estimate. */
function shortenTasks({ me }: Scene, dropped: Block[], answer: Answer) {
  for (const [taskId, blocks] of Map.groupBy(dropped, (block) => block.taskId)) {
    const task: Task | undefined = me.rows.tasks.get(taskId ?? '')
    const known = task?.estimateMinutes ?? me.settings.assumedMinutes ?? 0
    if (!task || known <= 0) continue
    const minutes = blocks.reduce(
      (sum, { startAt, endAt }) => sum + Math.round((endAt - startAt) / minute),
      0,
    )
    editTask(me, task, answer, () => {
      task.estimateMinutes = Math.max(0, Math.min(960, known) - minutes)
    })
  }
}

/** A planned block is not worked on: it has ended, or begins soon, and is still scheduled. */
export const plannedBlockPasses = event(
  '(a planned block passes)',
  async ({ world, me, act: { place } }) => {
    const tasks = [...me.rows.tasks.values()]
    const task = tasks[place % Math.max(1, tasks.length)]
    if (!task) return
    // -0.5 begins soon: at night, a planner run would place no block that is in the way of a start.
    const hoursAgo = [2, 5, 30, 400, -0.5][place % 5] ?? 2
    const startAt = world.began - hoursAgo * hour
    const block: Block = {
      id: newId(),
      taskId: task.id,
      type: 'task',
      title: task.title,
      startAt,
      endAt: startAt + 45 * minute,
      locked: place % 7 === 0,
      defended: false,
      source: 'auto',
      sortOrder: 0,
      status: 'scheduled',
      explanation: 'This was the earliest time.',
      cancelReason: null,
      startedAt: null,
      completedAt: null,
      cancelledAt: null,
      reviewedAt: null,
      madeByRun: null,
      cancelledByRun: null,
      createdAt: between(startAt - day, startAt - day),
      updatedAt: between(startAt - day, startAt - day),
    }
    await world.db.query(
      `insert into time_blocks (user_id, id, task_id, title, source, start_at, end_at, locked,
                                explanation, created_at, updated_at)
       values ($1, $2, $3, $4, 'auto', $5, $6, $7, $8, $9, $9)`,
      [
        me.id,
        block.id,
        task.id,
        block.title,
        new Date(block.startAt),
        new Date(block.endAt),
        block.locked,
        block.explanation,
        new Date(startAt - day),
      ],
    )
    me.rows.blocks.set(block.id, block)
    // No event shows this block, so its state is unknown to the follower, like that of a run's blocks.
    me.followed.records.set(`timeBlock ${block.id}`, undefined)
  },
)
