import fc from 'fast-check'
import { bodyFor, call, expect, idFor, invalid, type Scene, success } from '../call.ts'
import type { Answer } from '../client.ts'
import { command } from '../command.ts'
import { written } from '../fill.ts'
import { freshId } from '../fresh-id.ts'
import { lookAtBlock } from '../look.ts'
import { type Block, now, edit } from '../model.ts'
import { blockWithTask, listedBlock, listedBlocks } from '../show.ts'
import {
  type Body,
  body,
  flag,
  oneOf,
  pick,
  reference,
  type Sent,
  soon,
  text,
  whole,
} from '../values.ts'
import { forget } from '../world.ts'
import { quiet } from '../quiet.ts'
import { taskNotFound } from './tasks.ts'
import { progress, progressOf } from './progress.ts'

const day = 86_400_000
const notFound = { error: 'Time block not found' }
const title = text(1, 500)
const eventType = oneOf('event', 'event', 'event', 'task')
const isSpan = (startAt: number, endAt: number) => endAt > startAt && endAt - startAt <= day

/** The usual lengths in hours, and invalid ones. */
const lasting = fc.constantFrom(undefined, 0.25, 0.5, 0.5, 1, 1, 1, 2, 2, 24, 24.5, 0, -1)

function withEnd(fields: Record<string, Sent>, hours: number | undefined): Record<string, Sent> {
  const drawn = fields.startAt ?? fields.endAt
  const isDrawn = [fields.startAt, fields.endAt].every((each) => !each || 'hours' in each)
  if (hours === undefined || !drawn || !('hours' in drawn) || !isDrawn) return fields
  const startAt = { ...drawn, form: drawn.form % 4 }
  return { ...fields, startAt, endAt: { hours: drawn.hours + hours, form: 1 } }
}

const bound = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ hours: fc.integer({ min: -40, max: 200 }), form: fc.nat(2) }),
  },
  { weight: 1, arbitrary: fc.constantFrom('later', '', '2026-02-30') },
)

export const blocks = [
  command(
    'listTimeBlocks',
    {},
    fc.record({
      from: fc.option(bound),
      to: fc.option(bound),
      span: fc.constantFrom(0, 48, 1488, 1489),
      progress,
    }),
    async (scene, drawn) => {
      const operation = 'listTimeBlocks'
      const { began } = scene.world
      const read = (given: typeof drawn.from) =>
        given === null || typeof given === 'string' ? undefined : written(began, given)
      const from = read(drawn.from)
      const to =
        drawn.span > 0 && drawn.from !== null && typeof drawn.from !== 'string'
          ? written(began, { hours: drawn.from.hours + drawn.span, form: drawn.from.form })
          : read(drawn.to)
      const sent = new URLSearchParams()
      const fromText = from?.value ?? (typeof drawn.from === 'string' ? drawn.from : undefined)
      const toText = to?.value ?? (typeof drawn.to === 'string' ? drawn.to : undefined)
      if (fromText !== undefined) sent.set('from', fromText)
      if (toText !== undefined) sent.set('to', toText)
      const { asked, badQuery } = progressOf(drawn.progress)
      if (drawn.progress !== undefined) sent.set('progress', drawn.progress)
      const path = `/api/time-blocks?${sent.toString()}`
      const request = { operation, method: 'GET', path, badQuery }
      const answer = await quiet(() => call(scene, request))
      if (!answer) return
      if ((fromText !== undefined && !from) || (toText !== undefined && !to)) {
        return expect(answer, operation, 400, { error: 'from and to must be ISO dates' })
      }
      const start = from?.time ?? answer.began
      const end = to?.time ?? start + day
      if (end <= start || end - start > 62 * day) {
        return expect(answer, operation, 400, invalid('to'))
      }
      expect(answer, operation, 200, listedBlocks(scene.me, start, end, asked))
    },
  ),

  command(
    'createTimeBlock',
    {},
    fc.record({
      lasting,
      progress,
      wanted: fc.oneof(
        {
          weight: 4,
          arbitrary: body({ taskId: reference('tasks'), title, startAt: soon, endAt: soon }, [
            'taskId',
            'startAt',
            'endAt',
          ]),
        },
        {
          weight: 1,
          arbitrary: body(
            { type: eventType, title, startAt: soon, endAt: soon },
            ['type', 'title', 'startAt', 'endAt'],
            ['taskId'],
          ),
        },
      ),
    }),
    (scene, { lasting, progress, wanted }) =>
      create(
        scene,
        'text' in wanted ? wanted : { ...wanted, fields: withEnd(wanted.fields, lasting) },
        progress,
      ),
  ),

  command('findTimeBlock', {}, fc.record({ pick, progress }), async (scene, drawn) => {
    const operation = 'findTimeBlock'
    const { segment, found } = idFor(scene, 'blocks', drawn.pick)
    const { query, asked, badQuery } = progressOf(drawn.progress)
    const path = `/api/time-blocks/${segment}${query}`
    const answer = await call(scene, { operation, method: 'GET', path, badQuery })
    if (!answer) return
    const block = scene.me.rows.blocks.get(found)
    if (!block) return expect(answer, operation, 404, notFound)
    expect(answer, operation, 200, blockWithTask(scene.me, block, asked))
  }),

  command(
    'updateTimeBlock',
    {},
    fc.record({
      pick,
      lasting,
      progress,
      changes: body({
        startAt: soon,
        endAt: soon,
        locked: flag,
        sortOrder: whole(0, 2_147_483_647, 1, 2),
        status: oneOf('scheduled', 'scheduled', 'in_progress', 'completed', 'cancelled'),
        title,
      }),
    }),
    async (scene, { pick, lasting, progress, changes }) => {
      const operation = 'updateTimeBlock'
      const { segment, found } = idFor(scene, 'blocks', pick)
      const drawn =
        'text' in changes ? changes : { ...changes, fields: withEnd(changes.fields, lasting) }
      const given = bodyFor(scene, drawn)
      const { query, asked, badQuery } = progressOf(progress)
      const path = `/api/time-blocks/${segment}${query}`
      const answer = await call(scene, { operation, method: 'PATCH', path, body: given, badQuery })
      if (!answer) return
      const block = scene.me.rows.blocks.get(found)
      if (!block) return expect(answer, operation, 404, notFound)
      const { values } = given
      const isMoved = 'startAt' in values || 'endAt' in values
      if (!isSpan(values.startAt ?? block.startAt, values.endAt ?? block.endAt)) {
        return expect(answer, operation, 400, invalid('endAt' in values ? 'endAt' : 'startAt'))
      }
      const { status } = block
      edit(block, answer, () => {
        const { title: renamed = block.title, ...others } = values
        Object.assign(block, others)
        if (block.type === 'event') block.title = renamed
        if (isMoved) block.source = 'manual'
        if (block.status !== status) follow(block, answer)
      })
      expect(answer, operation, 200, blockWithTask(scene.me, block, asked))
      // Without `progress`, the answer does not show when it was started or completed.
      if (block.status !== status && !asked) await lookAtBlock(scene, block)
    },
  ),

  command('deleteTimeBlock', {}, pick, async (scene, pick) => {
    const operation = 'deleteTimeBlock'
    const { segment, found } = idFor(scene, 'blocks', pick)
    const path = `/api/time-blocks/${segment}`
    const answer = await call(scene, { operation, method: 'DELETE', path })
    if (!answer) return
    if (!found) return expect(answer, operation, 404, notFound)
    expect(answer, operation, 200, success)
    forget(scene.me, 'blocks', found)
  }),
]

/** Creates a block at the time of one that a run cancelled: undoing the run must not restore the cancelled one. */
export const blockInTheWay = command('createTimeBlock', {}, pick, async (scene, pick) => {
  const isTaken = ({ cancelledByRun }: Block) => cancelledByRun !== null
  const former = [...scene.me.rows.blocks.values()].findLast(isTaken)
  if (!former) return
  const at = (time: number) => ({ value: new Date(time).toISOString(), stored: time })
  await create(scene, {
    fields: {
      taskId: { of: 'tasks', pick },
      startAt: at(former.startAt),
      endAt: at(former.endAt),
    },
    known: [],
    required: [],
    noise: 0,
  })
})

/** The fields that follow a new status. */
function follow(block: Block, answer: Answer) {
  const { status } = block
  if (status === 'scheduled') block.startedAt = null
  if (status === 'in_progress') block.startedAt = now(answer)
  block.completedAt = status === 'completed' ? now(answer) : null
  block.cancelledAt = status === 'cancelled' ? now(answer) : null
  block.cancelReason = null
  block.reviewedAt = null
}

const isAbsent = (sent: Sent | undefined) =>
  sent === undefined || ('value' in sent && sent.value === undefined)

async function create(scene: Scene, drawn: Body, progress?: string) {
  const operation = 'createTimeBlock'
  const given = bodyFor(scene, drawn)
  const { values, bad } = given
  const isSent = (name: string) => 'fields' in drawn && !isAbsent(drawn.fields[name])
  const type = 'fields' in drawn && drawn.fields.type
  const isEvent = type !== false && type !== undefined && 'value' in type && type.value === 'event'
  // Any other type is ignored, and so is the title of a block of a task.
  const ofTask = isSent('taskId') || !isEvent
  const others = bad.filter((name) => name !== 'type' && !(ofTask && name === 'title'))
  bad.splice(0, bad.length, ...others)
  if ('fields' in drawn && !isSent('taskId') && !isEvent) bad.push('taskId')
  // The span is checked only if every field is valid.
  if (bad.length === 0 && !isSpan(values.startAt, values.endAt)) bad.push('endAt')
  const { query, asked, badQuery } = progressOf(progress)
  const path = `/api/time-blocks${query}`
  const request = { operation, method: 'POST', path, body: given, badQuery }
  const answer = await call(scene, request)
  if (!answer) return
  const task = scene.me.rows.tasks.get(values.taskId ?? '')
  if (!task && !isEvent) return expect(answer, operation, 404, taskNotFound)
  const createdAt = now(answer)
  const block: Block = {
    id: freshId(scene, answer),
    taskId: task?.id ?? null,
    type: task ? 'task' : 'event',
    title: task?.title ?? values.title,
    startAt: values.startAt,
    endAt: values.endAt,
    locked: false,
    defended: false,
    source: 'manual',
    sortOrder: 0,
    status: 'scheduled',
    explanation: null,
    cancelReason: null,
    startedAt: null,
    completedAt: null,
    cancelledAt: null,
    reviewedAt: null,
    madeByRun: null,
    cancelledByRun: null,
    createdAt,
    updatedAt: createdAt,
  }
  expect(answer, operation, 201, listedBlock(scene.me, block, asked))
  scene.me.rows.blocks.set(block.id, block)
}
