// Exports all of the user's data through the public API.
import { api } from '../../data/api.ts'
import { now } from '../../time/clock.ts'
import { plusMinutes } from '../../time/zone.ts'

const rangeMinutes = 61 * 1440
const mostEmpty = 6

export async function exportAllData(tell: (step: string) => void) {
  const said = async <Answer>(step: string, ask: () => Promise<Answer>) => {
    tell(step)
    return ask()
  }
  const profile = await said('your profile', () => api.user.get())
  return {
    exportedAt: now(),
    profile,
    settings: await said('settings', () => api.settings.get()),
    defaultSchedules: await said('default hours', () => api.defaultSchedules.list()),
    schedulePreferences: await said('working hours', () => api.schedulePreferences.list()),
    spaces: await said('spaces', () => api.spaces.list()),
    labels: await said('labels', () => api.labels.list()),
    projects: await said('projects', () => api.projects.list()),
    tasks: await said('tasks', () => Array.fromAsync(api.tasks.all({ includeCompleted: true }))),
    archivedTasks: await said('the archive', () =>
      Array.fromAsync(api.tasks.all({ status: 'archived' })),
    ),
    dependencies: await said('dependencies', everyDependency),
    documents: await said('documents', everyDocument),
    timeBlocks: await said('the calendar', everyBlock),
    calendars: await said('subscribed calendars', () => api.calendars.list()),
    plannerRuns: await said('plans', async () => (await api.planner.runs()).runs),
    notifications: await said(
      'notifications',
      async () => (await api.notifications.list()).notifications,
    ),
  }
}

const atOnce = 8

async function inTurns<Item, Answer>(items: Item[], ask: (item: Item) => Promise<Answer>) {
  const answers: Answer[] = []
  for (let from = 0; from < items.length; from += atOnce) {
    answers.push(...(await Promise.all(items.slice(from, from + atOnce).map(ask))))
  }
  return answers
}

async function everyDocument() {
  const listed = await api.documents.list()
  return inTurns(listed, ({ id }) => api.documents.get(id))
}

async function everyDependency() {
  const tasks = await Array.fromAsync(api.tasks.all())
  const answers = await inTurns(tasks, ({ id }) => api.tasks.dependencies.list(id))
  return answers.flatMap(({ blockedBy }) => blockedBy.map(({ task: _task, ...rest }) => rest))
}

/** Reads all blocks, range by range into the past, until a year has none. */
async function everyBlock() {
  const start = plusMinutes(now(), -1440)
  const later = await api.timeBlocks.list({ from: start, to: plusMinutes(start, rangeMinutes) })
  const blocks = [...later]
  for (let to = start, empty = 0; empty < mostEmpty;) {
    const from = plusMinutes(to, -rangeMinutes)
    // Ranges include both ends, so this one ends just before the later one begins.
    const earlier = await api.timeBlocks.list({ from, to: new Date(to.getTime() - 1) })
    blocks.push(...earlier)
    empty = earlier.length === 0 ? empty + 1 : 0
    to = from
  }
  return blocks.toSorted((one, other) => one.startAt.getTime() - other.startAt.getTime())
}
