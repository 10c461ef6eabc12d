import fc from 'fast-check'
import { bodyFor, call, expect, type Scene, success } from '../call.ts'
import { command, event } from '../command.ts'
import { brief, earliest } from '../compare.ts'
import { isFresh } from '../fresh-id.ts'
import {
  type Block,
  inOrder,
  isActive,
  isOpen,
  now,
  type Notification,
  type Task,
  titleOfBlock,
} from '../model.ts'
import { look } from '../look.ts'
import { quiet } from '../quiet.ts'
import { listedNotifications } from '../show.ts'
import { body, type Field, oneOf, pick, type Sent } from '../values.ts'
import type { Person } from '../world.ts'

const hour = 3_600_000
const type: Field = oneOf('morning_summary', 'at_risk')
const notificationId: Field = {
  good: pick.map((drawn): Sent => ({ of: 'notifications', pick: drawn })),
  bad: fc.constantFrom(7, null, {}, []).map((value): Sent => ({ value, bad: '' })),
}
const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether the last run left minutes of the task over, and its blocks still do not cover the estimate. */
function isLeftOver({ rows, settings, timezone }: Person, task: Task, moment: number) {
  const [last] = [...rows.runs.values()]
    .filter(({ state }) => state === 'applied')
    .toSorted((one, other) => other.rank - one.rank)
  const { unscheduledTaskIds = [] } = (last?.shown.result ?? {}) as {
    unscheduledTaskIds?: string[]
  }
  const horizon = Temporal.Instant.fromEpochMilliseconds(moment)
    .toZonedDateTimeISO(timezone)
    .add({ days: 14 }).epochMilliseconds
  const project = rows.projects.get(task.projectId ?? '')
  if (!unscheduledTaskIds.includes(task.id) || (task.dueAt ?? Infinity) > horizon) return false
  if (!task.autoSchedule || project?.autoSchedule === false) return false
  const own = [...rows.blocks.values()]
    .filter(({ taskId, status }) => taskId === task.id && status !== 'cancelled')
    .toSorted((one, other) => one.startAt - other.startAt)
  let [covered, until] = [0, -Infinity]
  for (const { startAt, endAt } of own) {
    covered += Math.max(0, endAt - Math.max(startAt, until))
    until = Math.max(until, endAt)
  }
  const estimate = task.estimateMinutes ?? settings.assumedMinutes
  return estimate !== null && estimate * 60_000 > covered
}

/** Open tasks that are overdue, whose work ends after they are due, or whose work does not fit before. */
function late({ me }: Scene, moment: number) {
  const blocks = [...me.rows.blocks.values()].filter(({ status }) => status !== 'cancelled')
  const isLate = (task: Task, { dueAt } = task) =>
    dueAt !== null &&
    (dueAt < moment ||
      blocks.some(({ taskId, endAt }) => taskId === task.id && endAt > dueAt) ||
      isLeftOver(me, task, moment))
  return inOrder(
    [...me.rows.tasks.values()].filter((task) => isOpen(task) && isLate(task)),
    ({ dueAt }) => dueAt ?? 0,
    ({ id }) => id,
  )
}

/** Open tasks due within a day without planned work. */
function atRisk({ me }: Scene, moment: number) {
  const blocks = [...me.rows.blocks.values()]
  return inOrder(
    [...me.rows.tasks.values()].filter(
      (task): task is Task & { dueAt: number } =>
        isOpen(task) &&
        task.dueAt !== null &&
        task.dueAt >= moment &&
        task.dueAt <= moment + 24 * hour &&
        !blocks.some((block) => block.taskId === task.id && isActive(block, moment)),
    ),
    ({ dueAt }) => dueAt,
    ({ id }) => id,
  )
}

function today({ me }: Scene, moment: number) {
  const zoned = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(me.timezone)
  const start = zoned.startOfDay()
  const [from, to] = [start, start.add({ days: 1 })].map((each) => each.epochMilliseconds)
  const isToday = ({ startAt, status }: Block) =>
    startAt >= (from ?? 0) && startAt < (to ?? 0) && status !== 'cancelled'
  return {
    date: zoned.toPlainDate().toString(),
    blocks: inOrder(
      [...me.rows.blocks.values()].filter(isToday),
      ({ startAt }) => startAt,
      ({ id }) => id,
    ),
  }
}

const speaksOf = (words: string[]) => (text: unknown) => {
  const lost = words.find((word) => typeof text !== 'string' || !text.includes(word))
  return lost === undefined ? undefined : `should speak of ${brief(lost)}`
}

export const notifications = [
  command('listNotifications', {}, fc.constant({}), async (scene) => {
    const operation = 'listNotifications'
    const answer = await call(scene, { operation, method: 'GET', path: '/api/notifications' })
    if (answer) expect(answer, operation, 200, listedNotifications(scene.me))
  }),

  command('generateNotification', {}, body({ type }, ['type']), async (scene, drawn) => {
    const operation = 'generateNotification'
    const { me } = scene
    const given = bodyFor(scene, drawn)
    const request = { operation, method: 'POST', path: '/api/notifications', body: given }
    const answer = await quiet(() => call(scene, request))
    if (!answer) return
    const written = given.values.type === 'at_risk' ? alert() : summary()
    const unread = [...me.rows.notifications.values()].filter(({ read }) => !read).length
    const generated = written.generated
    const unreadCount = unread + (written.note ? 1 : 0)
    expect(answer, operation, 200, { generated, unreadCount })
    if (!written.note) return

    const list = await look(scene, 'listNotifications', '/api/notifications')
    const id = isFresh(scene, list.body?.notifications?.[0]?.id)
    const { title, body } = list.body.notifications[0]
    const note = { id, read: false, createdAt: now(answer), ...written.note }
    me.rows.notifications.set(id, note as unknown as Notification)
    expect(list, operation, 200, listedNotifications(me))
    me.rows.notifications.set(id, { ...note, title, body })

    function alert() {
      const covered = new Set(
        [...me.rows.notifications.values()]
          .filter(({ createdAt }) => earliest(createdAt) > (answer?.began ?? 0) - 6 * hour)
          .flatMap(({ metadata }) => ('taskIds' in metadata ? (metadata.taskIds as string[]) : [])),
      )
      const tasks = atRisk(scene, answer?.began ?? 0).filter(({ id }) => !covered.has(id))
      const count = tasks.length
      if (count === 0) return { generated: 0 }
      return {
        generated: count,
        note: {
          type: 'at_risk_deadline',
          title: speaksOf([String(count)]),
          body: speaksOf(tasks.map(({ title }) => title)),
          metadata: { taskIds: tasks.map(({ id }) => id), count },
          once: null,
        },
      }
    }

    function summary() {
      const { date, blocks } = today(scene, answer?.began ?? 0)
      const isThere = [...me.rows.notifications.values()].some(({ once }) => once === date)
      if (isThere) return { generated: 1 }
      const risky = late(scene, answer?.began ?? 0)
      return {
        generated: 1,
        note: {
          type: 'morning_summary',
          title: speaksOf([String(blocks.length), String(risky.length)]),
          body: speaksOf([
            ...blocks.map((block) => titleOfBlock(me.rows, block)),
            ...risky.map(({ title }) => title),
          ]),
          metadata: {
            date,
            blocks: blocks.length,
            blockIds: blocks.map(({ id }) => id),
            atRiskTaskIds: risky.map(({ id }) => id),
          },
          once: date,
        },
      }
    }
  }),

  command('markAllRead', {}, fc.constant({}), async (scene) => {
    const operation = 'markAllRead'
    const answer = await call(scene, { operation, method: 'PATCH', path: '/api/notifications' })
    if (!answer) return
    const unread = [...scene.me.rows.notifications.values()].filter(({ read }) => !read)
    expect(answer, operation, 200, { markedRead: unread.length })
    for (const notification of unread) notification.read = true
  }),

  command('markRead', {}, body({ notificationId }, ['notificationId']), async (scene, drawn) => {
    const operation = 'markRead'
    const given = bodyFor(scene, drawn)
    const sent = given.isJson && given.bad.length === 0 ? JSON.parse(given.text).notificationId : ''
    if (given.bad.length === 0 && !guid.test(sent)) given.bad.push('notificationId')
    const path = '/api/notifications/read'
    const answer = await call(scene, { operation, method: 'POST', path, body: given })
    if (!answer) return
    const notification = scene.me.rows.notifications.get(given.values.notificationId ?? '')
    if (!notification) return expect(answer, operation, 404, { error: 'Notification not found' })
    expect(answer, operation, 200, success)
    notification.read = true
  }),
]

/** Seven hours pass, which is more than the six hours for which alerts are not repeated. */
export const hoursGoBy = event('(seven hours go by)', async ({ world, me }) => {
  await world.db.query(
    `update notifications set created_at = created_at - interval '7 hours' where user_id = $1`,
    [me.id],
  )
  for (const { createdAt } of me.rows.notifications.values()) {
    createdAt.earliest -= 7 * hour
    createdAt.latest -= 7 * hour
  }
})
