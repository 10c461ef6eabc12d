// Creates the task that a line describes. Labels that do not exist are created first, each in its own transaction:
// within the task's transaction they would lock `user_state` before the task's references.
import { NewTask, type QuickAddInput, RecurrenceRuleInput } from '@daywright/contract'
import {
  initialsOf,
  newLabelsOf,
  type ParsedRecurrence,
  type ParsedTask,
  parseQuickAdd,
  recurrenceOf,
  taskOf,
  usualSessions,
} from '@daywright/quick-add'
import { type Db, retrying } from '../../platform/db/database.ts'
import { ConcurrentUpdate } from '../../platform/db/database-errors.ts'
import { ApiError, invalid } from '../../platform/errors.ts'
import { createLabel } from '../labels/labels.queries.ts'
import { checkSeries, seriesOf } from '../recurrences/read-series.ts'
import { checkRule, createRecurringTask } from '../recurrences/task-recurrence.ts'
import { createTask } from '../tasks/tasks.queries.ts'
import { findTimezone } from '../user/user.queries.ts'
import { listNames } from './quick-add.queries.ts'

const mostLabels = 100
const longestTitle = 500

/** Returns the JSON of the created task, or with `dryRun` of what it would be. */
export function quickAdd(db: Db, userId: string, { dryRun, ...line }: QuickAddInput, now: Date) {
  return retrying(async () => {
    const { task, recurrence, ...understood } = await readLine(db, userId, line, now)
    if (dryRun) {
      const meaning = { ...understood, task: withBlanks(task), ...withWords(recurrence) }
      // The answer to an Idempotency-Key is stored in this transaction.
      return db.transaction(async () => JSON.stringify(meaning))
    }
    const created = await createLabels(db, userId, understood.newLabels)
    const labelIds = [...(task.labelIds ?? []), ...created]
    return db.transaction(async (transaction) => {
      const given = NewTask.parse({ ...usualSessions, ...task, labelIds })
      const start = JSON.stringify(understood).slice(0, -1)
      if (!recurrence) {
        const json = await createTask(transaction, userId, given, now).catch(retryIfChanged)
        return `${start},"task":${json}}`
      }
      const made = await createRecurringTask(transaction, userId, given, recurrence, now).catch(
        retryIfChanged,
      )
      return `${start},"task":${made.task},"recurrence":${made.recurrence}}`
    })
  })
}

async function readLine(
  db: Db,
  userId: string,
  { text, locale = 'en-US' }: Omit<QuickAddInput, 'dryRun'>,
  now: Date,
) {
  const zone = await findTimezone(db, userId)
  const names = await listNames(db, userId, initialsOf(text))
  const parsed = parseQuickAdd(text, { now, zone, locale, names })
  const recurrence = checkRecurrence(recurrenceOf(parsed, now, zone), now, zone)
  const { dueAt, startAfter, ...fields } = taskOf(parsed)
  // A recurring task gets its times from its first occurrence.
  const task: ParsedTask = recurrence
    ? fields
    : { ...fields, ...(dueAt && { dueAt }), ...(startAfter && { startAfter }) }
  const newLabels = newLabelsOf(parsed)
  if (task.title === '') throw invalid({ text: ['Must have a title'] })
  if (task.title.length > longestTitle) {
    throw invalid({ text: [`The title must have at most ${longestTitle} characters`] })
  }
  if ((task.labelIds ?? []).length + newLabels.length > mostLabels) {
    throw invalid({ text: [`Must have at most ${mostLabels} labels`] })
  }
  const recognised = parsed.spans.map(({ kind, text, start, end }) => ({ kind, text, start, end }))
  return { recognised, newLabels, task, recurrence }
}

/** Checks the recurrence. An error is reported for the whole line, which does not name single fields. */
function checkRecurrence(given: ParsedRecurrence | undefined, now: Date, zone: string) {
  if (!given) return undefined
  const { success } = RecurrenceRuleInput.safeParse(given)
  if (!success) throw cannotRepeat()
  try {
    checkRule(given, now, zone)
  } catch (error) {
    throw error instanceof ApiError ? cannotRepeat() : error
  }
  return given
}

const cannotRepeat = () => invalid({ text: ['The task cannot repeat like this'] })

function withWords(given: ParsedRecurrence | undefined) {
  if (!given) return {}
  const series = seriesOf(given)
  const words = checkSeries(series)
  const { kind, rule, times, startsOn, endsOn, dueTime } = series
  return { recurrence: { kind, rule, times, startsOn, endsOn, dueTime, words } }
}

const withBlanks = (task: ParsedTask) => ({
  dueAt: null,
  startAfter: null,
  estimateMinutes: null,
  priority: 'none',
  spaceId: null,
  projectId: null,
  labelIds: [],
  ...task,
})

async function createLabels(db: Db, userId: string, names: string[]) {
  const ids: string[] = []
  for (const name of names) {
    const label = await createLabel(db, userId, { name }).catch(retryIfChanged)
    ids.push((JSON.parse(label) as { id: string }).id)
  }
  return ids
}

/** Retries if a label was created, or something named in the line was deleted, since the names were read. */
function retryIfChanged(error: unknown): never {
  const hasChanged = error instanceof ApiError && (error.status === 409 || error.body.field)
  throw hasChanged ? new ConcurrentUpdate('The names have changed') : error
}
