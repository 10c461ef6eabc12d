// Groups of commands: most profiles test one subsystem in depth, the first one tests all of them together.
import fc from 'fast-check'
import type { Command, Step } from './command.ts'
import { admin } from './commands/admin.ts'
import { again } from './commands/again.ts'
import { auth } from './commands/auth.ts'
import { batch } from './commands/batch.ts'
import { blockActions, plannedBlockPasses } from './commands/block-actions.ts'
import { blockInTheWay, blocks } from './commands/blocks.ts'
import { checklist } from './commands/checklist.ts'
import { defaultSchedules } from './commands/default-schedules.ts'
import { documents } from './commands/documents.ts'
import { feeds } from './commands/feeds.ts'
import { connectedAccounts } from './commands/connected-accounts.ts'
import { planCalendars } from './commands/plan-calendars.ts'
import { health } from './commands/health.ts'
import { changes, history } from './commands/history.ts'
import { jobFails, jobs } from './commands/jobs.ts'
import { keys } from './commands/keys.ts'
import { labels } from './commands/labels.ts'
import { links } from './commands/links.ts'
import { hoursGoBy, notifications } from './commands/notifications.ts'
import { planner, weeksGoBy } from './commands/planner.ts'
import { preferences } from './commands/preferences.ts'
import { projects } from './commands/projects.ts'
import { quickAdd } from './commands/quick-add.ts'
import { recurrences } from './commands/recurrences.ts'
import { reorder } from './commands/reorder.ts'
import { settings } from './commands/settings.ts'
import { spaces } from './commands/spaces.ts'
import { tasks, taskToPlan } from './commands/tasks.ts'
import { usage } from './commands/usage.ts'
import { user } from './commands/user.ts'
import { calendars } from './commands/calendars.ts'
import { firstEventsArrive, webhooks } from './commands/webhooks.ts'

const slices = [
  spaces,
  labels,
  projects,
  tasks,
  quickAdd,
  batch,
  checklist,
  links,
  documents,
  preferences,
  defaultSchedules,
  blocks,
  blockActions,
  reorder,
  notifications,
  user,
  keys,
  planner,
  settings,
  usage,
  changes,
  history,
  webhooks,
  calendars,
  feeds,
  planCalendars,
  connectedAccounts,
  recurrences,
  jobs,
  admin,
  auth,
  health,
]

export const commands: Command[] = slices.flat()

export const named = (...operations: string[]) =>
  operations.map((name) => {
    const found = [...commands, hoursGoBy, weeksGoBy].find(({ operation }) => operation === name)
    if (!found) throw new Error(`No command ${name}`)
    return found
  })

export type Profile = {
  name: string
  /** Each with its weight. */
  parts: [weight: number, commands: Command[]][]
  longest: number
  /** Its share of the dose. */
  share: number
}

const one = (name: string, parts: Profile['parts'], longest = 100, share = 1): Profile => ({
  name,
  parts,
  longest,
  share,
})

const makers = named('createTask', 'createSpace', 'createProject', 'createLabel')

export const profiles: Profile[] = [
  one(
    'all',
    [
      [3, [...spaces, ...labels, ...projects, ...documents, ...preferences, ...checklist]],
      [
        6,
        [
          ...tasks,
          ...quickAdd,
          ...links,
          ...batch,
          ...blocks,
          ...reorder,
          ...notifications,
          ...user,
        ],
      ],
      [20, [taskToPlan, ...named('createTask')]],
      [12, named('createTimeBlock', 'createDocument')],
      [3, [...blockActions, plannedBlockPasses]],
      [3, planner],
      [2, [...keys, ...settings, ...usage, ...changes]],
      [1, [...health, ...named('listAccounts'), hoursGoBy, weeksGoBy, again]],
    ],
    240,
    9,
  ),
  one('spaces', [
    [3, spaces],
    [1, named('createProject', 'createTask', 'createDocument', 'findTask', 'listProjects')],
    [1, named('createSchedulePreference', 'deleteSchedulePreference')],
  ]),
  one('labels', [
    [3, [...labels, ...quickAdd]],
    [2, named('createTask', 'updateTask', 'listTasks')],
  ]),
  one('projects', [
    [3, projects],
    [1, [...makers, ...named('createTask', 'createDocument', 'listTasks')]],
  ]),
  one(
    'tasks',
    [
      [4, tasks],
      [3, named('createTask')],
      [1, named('createSpace', 'createProject', 'createLabel', 'createSchedulePreference')],
      [1, named('createTimeBlock')],
    ],
    80,
    2,
  ),
  one('batch', [
    [3, batch],
    [2, named('createTask')],
    [1, named('listTasks', 'findTask', 'updateTask')],
  ]),
  one('links', [
    [2, links],
    [3, named('createTask', 'createDocument')],
    [1, named('findTask', 'deleteTask', 'findDocument')],
  ]),
  one('checklist', [
    [3, checklist],
    [3, named('createTask', 'createChecklistItem')],
    [1, named('findTask', 'deleteTask')],
  ]),
  one('documents', [
    [3, documents],
    [1, usage],
    [1, named('createSpace', 'createProject', 'createTask', 'linkDocument', 'deleteSpace')],
  ]),
  one('preferences', [
    [3, preferences],
    [1, named('createTask', 'updateTask', 'findTask')],
    [1, [...settings, ...named('createSpace', 'updateSpace', 'createProject', 'updateProject')]],
    [2, defaultSchedules],
  ]),
  one('blocks', [
    [3, blocks],
    [1, usage],
    [4, named('createTask', 'createTimeBlock')],
    [1, named('findTask', 'deleteTask', 'updateTask')],
  ]),
  one('actions', [
    [4, blockActions],
    [3, [taskToPlan, plannedBlockPasses, ...named('createTimeBlock')]],
    [2, named('runPlanner', 'updateTimeBlock')],
    [1, [...settings, ...usage, ...named('updateTask', 'deleteTask', 'batchTasks', 'listChanges')]],
    [1, named('findTask', 'listTasks', 'listTimeBlocks', 'updateProject')],
  ]),
  one('reorder', [
    [3, reorder],
    [3, named('createTask', 'createTimeBlock', 'createTimeBlock')],
    [1, named('listTimeBlocks')],
  ]),
  one('notifications', [
    [3, notifications],
    [4, [taskToPlan, ...named('createTask')]],
    [2, named('updateProfile')],
    [1, [...named('createTimeBlock', 'updateTask'), hoursGoBy]],
  ]),
  one(
    'user',
    [
      [3, user],
      [1, named('findPlannerStatus', 'generateNotification')],
    ],
    30,
  ),
  one('keys', [
    [4, keys],
    [1, named('createLabel', 'listLabels', 'runPlanner', 'findProfile')],
  ]),
  one(
    'admin',
    [
      [4, admin],
      [1, named('findProfile', 'updateProfile', 'createLabel', 'signIn')],
    ],
    25,
    0.5,
  ),
  one(
    'auth',
    [
      [3, auth],
      [2, named('findProfile', 'createLabel', 'listLabels')],
    ],
    25,
    0.5,
  ),
  one(
    'planner',
    [
      [8, [taskToPlan]],
      // So frequent that both occur between two runs of the planner.
      [4, [blockInTheWay, ...named('undoPlannerRun')]],
      [2, planner],
      [3, named('runPlanner', 'updateTimeBlock')],
      [6, named('previewPlan', 'applyPlannerRun')],
      [1, [plannedBlockPasses, ...named('updateSettings', 'updateTask', 'stopTimeBlock')]],
    ],
    30,
    1.5,
  ),
  one(
    'plans',
    [
      [10, [taskToPlan]],
      [3, named('createTask', 'updateTask')],
      [2, planner],
      [3, named('runPlanner')],
      [1, named('updateTimeBlock', 'createTimeBlock', 'addDependency', 'addDependency')],
      [1, named('createSchedulePreference', 'createProject', 'updateProject', 'updateProfile')],
      [1, [...named('deleteTask', 'batchTasks'), weeksGoBy]],
      [2, [plannedBlockPasses, ...named('updateSettings', 'updateSpace', 'startTimeBlock')]],
    ],
    50,
    1.5,
  ),
  one(
    'events',
    [
      [3, named('listChanges', 'listHistory', 'revertChange', 'revertChange')],
      [3, [...labels, ...settings, ...named('followEvents')]],
      [2, named('createSpace', 'updateSpace', 'deleteSpace', 'updateProfile', 'deleteTask')],
      [2, [...checklist, ...named('createChecklistItem', 'updateChecklistItem')]],
      [
        2,
        named('createSchedulePreference', 'updateSchedulePreference', 'createTask', 'updateTask'),
      ],
      [1, named('createDocument', 'linkDocument', 'createTimeBlock', 'batchTasks', 'runPlanner')],
    ],
    80,
    1.5,
  ),
  one('webhooks', [
    [3, webhooks],
    [4, named('createWebhook', 'updateWebhook')],
    [4, [firstEventsArrive, ...named('redeliverEvent')]],
    [1, named('issueApiKey', 'revokeApiKey')],
    [2, named('createLabel', 'updateLabel')],
    [1, named('listChanges', 'listHistory')],
  ]),
  one('calendars', [
    [3, calendars],
    [3, named('createCalendar', 'updateCalendar')],
    [1, named('listChanges', 'listHistory', 'revertChange', 'runPlanner')],
  ]),
  one('plan calendars', [
    [3, planCalendars],
    [1, connectedAccounts],
    [3, named('createPlanCalendar', 'updatePlanCalendar')],
    [1, named('listChanges', 'listHistory', 'revertChange')],
  ]),
  one('feeds', [
    [3, feeds],
    [2, named('createFeed')],
    [1, named('listChanges', 'listHistory', 'revertChange')],
  ]),
  one('recurrences', [
    [3, recurrences],
    [3, named('createRecurrence')],
    [1, named('createTask', 'deleteTask', 'batchTasks', 'findTask', 'listTasks')],
    [1, named('listChanges', 'listHistory')],
  ]),
  one(
    'jobs',
    [
      [2, jobs],
      [2, [jobFails]],
    ],
    20,
    0.6,
  ),
  one('idempotency', [
    [1, named('createLabel', 'createTask', 'updateTask', 'runPlanner', 'createTimeBlock')],
    [1, quickAdd],
    [1, named('issueApiKey', 'markAllRead', 'updateProfile')],
    [3, [again]],
  ]),
]

export const stepsOf = ({ name, parts }: Profile): fc.Arbitrary<Step> =>
  fc.oneof(
    ...parts.flatMap(([weight, list]) =>
      list.map(({ steps }) => ({ weight, arbitrary: steps(name === 'idempotency') })),
    ),
  )
