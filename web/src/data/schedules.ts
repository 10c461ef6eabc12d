// Which schedule decides when a task is planned: its own, or that of its project, its space or the account.
import type {
  DefaultSchedules,
  ListedProject,
  ListedTask,
  SchedulePreference,
  Settings,
  Window,
} from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { cache } from './query-client.ts'
import { queries } from './queries.ts'

/** The planner's default hours, for a task without a schedule. */
export const plannersWindows: Window[] = [{ day: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }]

type Placed = {
  schedulePreferenceId?: string | null
  projectId?: string | null
  spaceId?: string | null
}

/** The schedules, and where they are the default. */
export type Schedules = {
  preferences: SchedulePreference[]
  settings: Pick<Settings, 'schedulePreferenceId'>
  defaults: DefaultSchedules
  projects: Pick<ListedProject, 'id' | 'spaceId' | 'status'>[]
}

export const defaultOfSpace = (all: DefaultSchedules | undefined, id: string | null | undefined) =>
  all?.spaces.find(({ spaceId }) => spaceId === id)?.schedulePreferenceId ?? null

export const defaultOfProject = (
  all: DefaultSchedules | undefined,
  id: string | null | undefined,
) => all?.projects.find(({ projectId }) => projectId === id)?.schedulePreferenceId ?? null

/** Returns a function that finds the schedule of a task; undefined stands for the planner's default hours. */
export function scheduleFinder({ preferences, settings, defaults, projects }: Schedules) {
  const byId = new Map(preferences.map((preference) => [preference.id, preference]))
  const spaceOf = new Map(projects.map(({ id, spaceId }) => [id, spaceId]))
  return ({ schedulePreferenceId, projectId, spaceId }: Placed) => {
    const id =
      schedulePreferenceId ??
      defaultOfProject(defaults, projectId) ??
      defaultOfSpace(defaults, spaceId ?? spaceOf.get(projectId ?? '')) ??
      settings.schedulePreferenceId
    return byId.get(id ?? '')
  }
}

/** The schedules in use: those that are a default, and those of open tasks. */
export function schedulesInUse(schedules: Schedules, openTasks: Placed[]) {
  const places: Placed[] = [
    {},
    ...schedules.defaults.spaces.map(({ spaceId }) => ({ spaceId })),
    ...schedules.projects
      .filter(({ status }) => status !== 'completed' && status !== 'cancelled')
      .map(({ id }) => ({ projectId: id })),
    ...openTasks,
  ]
  return [...new Set(places.map(scheduleFinder(schedules)))]
}

const plannersOnly = [undefined]

/** The schedules in use; only the planner's default hours until everything is known. */
export function useSchedulesInUse() {
  const schedules = useSchedules()
  const { data: places } = useQuery({ ...queries.openTasks(), select: placesOf })
  return useMemo(
    () => (schedules && places ? schedulesInUse(schedules, places) : plannersOnly),
    [schedules, places],
  )
}

// Selected from the records, because they change more often than the hours, with which the calendar is drawn again.

/** Each place of a task once. */
const placesOf = (tasks: ListedTask[]) => [
  ...new Map(tasks.map((task) => [placeKey(task), placeOf(task)])).values(),
]

const placeOf = ({ schedulePreferenceId, projectId, spaceId }: ListedTask): Placed => ({
  schedulePreferenceId,
  projectId,
  spaceId,
})
const placeKey = (task: ListedTask) => Object.values(placeOf(task)).join()

/** All time in which something may be planned; the calendar shows it as open. */
export function useOpenWindows() {
  const inUse = useSchedulesInUse()
  return useMemo(() => inUse.flatMap((schedule) => schedule?.windows ?? plannersWindows), [inUse])
}

/** Finds the schedule of a task; undefined while something is not known yet. */
export function useScheduleFinder() {
  const schedules = useSchedules()
  return useMemo(() => schedules && scheduleFinder(schedules), [schedules])
}

function useSchedules() {
  const { data: preferences } = useQuery(queries.preferences())
  const { data: settings } = useQuery(queries.settings())
  const { data: defaults } = useQuery(queries.defaultSchedules())
  const { data: projects } = useQuery({ ...queries.projects(), select: placesOfProjects })
  return useMemo(
    () =>
      preferences && settings && defaults && projects
        ? { preferences, settings, defaults, projects }
        : undefined,
    [preferences, settings, defaults, projects],
  )
}

const placesOfProjects = (projects: ListedProject[]): Schedules['projects'] =>
  projects.map(({ id, spaceId, status }) => ({ id, spaceId, status }))

/** The windows that an open task is planned in, for code outside of components. */
export async function windowsOf(taskId: string | null) {
  const [preferences, settings, defaults, projects, tasks] = await Promise.all([
    cache.ensureQueryData(queries.preferences()),
    cache.ensureQueryData(queries.settings()),
    cache.ensureQueryData(queries.defaultSchedules()),
    cache.ensureQueryData(queries.projects()),
    cache.ensureQueryData(queries.openTasks()),
  ])
  const task = tasks.find(({ id }) => id === taskId)
  const schedule = scheduleFinder({ preferences, settings, defaults, projects })(task ?? {})
  return schedule?.windows ?? plannersWindows
}
