import type { SchedulePreference } from '@daywright/contract'
import { describe, expect, it } from '../../test/it.ts'
import { scheduleFinder, type Schedules, schedulesInUse, windowsOf } from './schedules.ts'

const preference = (name: string) =>
  ({ id: name, name, windows: [] }) as Partial<SchedulePreference>
const preferences = ['account', 'space', 'project', 'task', 'unused'].map(
  preference,
) as SchedulePreference[]

const schedules = (more: Partial<Schedules> = {}): Schedules => ({
  preferences,
  settings: { schedulePreferenceId: 'account' },
  defaults: {
    spaces: [{ spaceId: 'home', schedulePreferenceId: 'space' }],
    projects: [{ projectId: 'house', schedulePreferenceId: 'project' }],
  },
  projects: [
    { id: 'house', spaceId: 'home', status: 'backlog' },
    { id: 'garden', spaceId: 'home', status: 'backlog' },
  ],
  ...more,
})

describe('the schedule of a task', () => {
  it.for([
    ['is its own', { projectId: 'house', schedulePreferenceId: 'task' }, 'task'],
    ['is that of its project', { projectId: 'house', spaceId: 'home' }, 'project'],
    ['is that of its space', { spaceId: 'home' }, 'space'],
    ['is that of the space of its project', { projectId: 'garden' }, 'space'],
    ['is that of the account', { spaceId: 'work' }, 'account'],
  ] as const)('%s', ([, task, name]) => {
    expect(scheduleFinder(schedules())(task)?.name).toBe(name)
  })

  it('is none without a default, even if there are schedules', () => {
    const find = scheduleFinder(schedules({ settings: { schedulePreferenceId: null } }))

    expect(find({ spaceId: 'work' })).toBe(undefined)
  })
})

describe('the schedules in use', () => {
  const inUse = (more?: Partial<Schedules>, tasks: { schedulePreferenceId: string }[] = []) =>
    schedulesInUse(schedules(more), tasks).map((each) => each?.name)

  it('are the defaults, and those of open tasks', () => {
    expect(inUse()).toEqual(['account', 'space', 'project'])
    expect(inUse({}, [{ schedulePreferenceId: 'task' }])).toEqual([
      'account',
      'space',
      'project',
      'task',
    ])
  })

  it('include the default hours of the planner if the account has no default', () => {
    const settings = { schedulePreferenceId: null }
    const defaults = { spaces: [], projects: [] }

    expect(inUse({ settings, defaults })).toEqual([undefined])
  })

  it('do not include those of closed projects', () => {
    const projects = (['completed', 'cancelled'] as const).map((status) => ({
      id: 'house',
      spaceId: null,
      status,
    }))
    expect(inUse({ projects })).toEqual(['account', 'space'])
  })
})

describe('windowsOf', () => {
  it('does not depend on what the page has loaded', async ({ elsewhere }) => {
    const windows = [{ day: [1], start: '18:00', end: '22:00' }]
    const { id } = await elsewhere.schedulePreferences.create({ name: 'Evenings', windows })
    const project = await elsewhere.projects.create({ name: 'House' })
    await elsewhere.defaultSchedules.setOfProject(project.id, { schedulePreferenceId: id })
    const task = await elsewhere.tasks.create({ title: 'Paint', projectId: project.id })

    expect(await windowsOf(task.id)).toEqual(windows)
    expect(await windowsOf(null)).toEqual([{ day: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }])
  })
})
