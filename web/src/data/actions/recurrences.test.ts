// Every action on recurrences against the real service, and its undo.
import type { Client } from '@daywright/client'
import { describe, expect, it } from '../../../test/it.ts'
import type { Action } from '../action.ts'
import { perform } from '../run-mutation.ts'
import { shownToasts } from '../toasts.ts'
import { redoLast, undoLast } from '../undo.ts'
import {
  changeRecurrence,
  changeRecurrenceFrom,
  createRecurrence,
  deleteRecurrence,
  endRecurrence,
  pauseRecurrence,
  repeatTask,
  resumeRecurrence,
  skipOccurrence,
  unskipOccurrence,
} from './recurrences.ts'

const weekly = { kind: 'calendar', rule: 'FREQ=WEEKLY;BYDAY=FR', startsOn: '2026-01-01' } as const
const mondays = { ...weekly, rule: 'FREQ=WEEKLY;BYDAY=MO' }

/** The rules and pauses of all recurrences, and the due times of open tasks. */
async function stateOf(client: Client) {
  const recurrences = await client.recurrences.list()
  const { data } = await client.tasks.list({ limit: 100 })
  return {
    rules: recurrences.map(({ rule, endsOn, pausedAt }) => [rule, endsOn, pausedAt !== null]),
    due: data.map(({ title, dueAt }) => `${title} ${dueAt?.toISOString()}`).toSorted(),
  }
}

async function arrange(client: Client) {
  const recurrence = await client.recurrences.create({ ...weekly, task: { title: 'Report' } })
  const { occurrences } = await client.recurrences.occurrences(recurrence.id)
  const [first, second] = occurrences.filter(({ state }) => state === 'open')
  return { recurrence, first: first!, second: second!, before: await stateOf(client) }
}

/** Performs an action, undoes it, and redoes it. Returns the state after the action. */
async function tryAction<Answer>(client: Client, action: Action<Answer>, says: string) {
  const before = await stateOf(client)
  expect(await perform(action)).toMatchObject({ ok: true })
  const after = await stateOf(client)
  expect(shownToasts().at(-1)?.text).toBe(says)
  expect(after).not.toEqual(before)
  await undoLast()
  expect(await stateOf(client)).toEqual(before)
  await redoLast()
  const again = await stateOf(client)
  expect(again.rules).toEqual(after.rules)
  expect(again.due).toEqual(after.due)
  return after
}

describe('recurrences', () => {
  it('are created with their tasks', async ({ elsewhere }) => {
    const task = {
      title: 'Report',
      estimateMinutes: 45,
      priority: 'high' as const,
      minSessionMinutes: 20,
    }
    const says = 'Added “Report”, every Friday.'
    await tryAction(elsewhere, createRecurrence(task, weekly), says)
    const [recurrence] = await elsewhere.recurrences.list()
    expect(recurrence?.task).toMatchObject(task)
  })

  it('are created from a task, which stays after undo', async ({ elsewhere }) => {
    const task = await elsewhere.tasks.create({ title: 'Report', dueAt: '2099-01-02T10:00:00Z' })
    await tryAction(elsewhere, repeatTask(task, weekly), '“Report” repeats every Friday.')
    expect((await elsewhere.tasks.get(task.id)).status).toBe('todo')
  })

  it('change as a whole', async ({ elsewhere }) => {
    const { recurrence } = await arrange(elsewhere)
    const says = '“Report” repeats every Monday.'
    await tryAction(elsewhere, changeRecurrence(recurrence, mondays), says)
  })

  it('change from a day on', async ({ elsewhere }) => {
    const { recurrence, second, before } = await arrange(elsewhere)
    expect(await perform(changeRecurrenceFrom(recurrence, second.day, mondays))).toMatchObject({
      ok: true,
    })
    expect(shownToasts().at(-1)?.text).toBe('From now on, “Report” repeats every Monday.')
    expect((await stateOf(elsewhere)).rules.map(([rule]) => rule)).toEqual([
      weekly.rule,
      mondays.rule,
    ])
    await undoLast()
    expect(await stateOf(elsewhere)).toEqual(before)
  })

  it('are paused and resumed', async ({ elsewhere }) => {
    const { recurrence } = await arrange(elsewhere)
    await tryAction(elsewhere, pauseRecurrence(recurrence), 'Paused “Report”.')
    await tryAction(elsewhere, resumeRecurrence(recurrence), '“Report” repeats again.')
  })

  it('end after an occurrence', async ({ elsewhere }) => {
    const { recurrence, first } = await arrange(elsewhere)
    const says = '“Report” no longer repeats.'
    const { due } = await tryAction(elsewhere, endRecurrence(recurrence, first.day), says)
    expect(due).toHaveLength(1)
  })

  it('are deleted with their open tasks', async ({ elsewhere }) => {
    const { recurrence } = await arrange(elsewhere)
    const says = 'Deleted “Report” and its open tasks.'
    const after = await tryAction(elsewhere, deleteRecurrence(recurrence), says)
    expect(after).toEqual({ rules: [], due: [] })
  })

  it('skip an occurrence, and restore a skipped one', async ({ elsewhere }) => {
    const { recurrence, second, before } = await arrange(elsewhere)
    const skip = skipOccurrence(recurrence, second, 'Friday')
    const { due } = await tryAction(elsewhere, skip, 'Skipped “Report” on Friday.')
    expect(due).toHaveLength(before.due.length - 1)
    const unskip = unskipOccurrence(recurrence, second, 'Friday')
    expect(await tryAction(elsewhere, unskip, '“Report” is back on Friday.')).toEqual(before)
  })
})
