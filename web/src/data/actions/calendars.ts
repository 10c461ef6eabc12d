import type {
  Calendar,
  CalendarAccount,
  CalendarChanges,
  FoundCalendars,
  NewCalendar,
} from '@daywright/contract'
import { api } from '../api.ts'
import { keys } from '../keys.ts'
import type { Action } from '../action.ts'
import { PartlyDone } from '../partly-done.ts'

const around = [keys.calendars, keys.calendarEvents, keys.planner]

export const createCalendar = (calendar: NewCalendar): Action<Calendar> => ({
  says: 'Calendar added. Its events appear in a few seconds.',
  send: () => api.calendars.create(calendar),
  refreshes: around,
})

type Found = FoundCalendars['calendars'][number]

/** Adds the chosen calendars of an account at a CalDAV server. */
export const addCalendarsOf = (
  { username, password }: CalendarAccount,
  calendars: Found[],
): Action<Calendar[]> => ({
  says: 'Calendars added. Their events appear in a few seconds.',
  send: () =>
    createAllCalendars(
      calendars.map(({ url, name, color }): NewCalendar => ({
        url,
        username,
        password,
        ...(name && { name }),
        ...(color && { color }),
      })),
    ),
  refreshes: around,
})

/** Creates all of the calendars, or none of them. */
export async function createAllCalendars(calendars: NewCalendar[]) {
  const made: Calendar[] = []
  try {
    for (const calendar of calendars) made.push(await api.calendars.create(calendar))
    return made
  } catch (error) {
    return deleteAgain(made, error)
  }
}

async function deleteAgain(made: Calendar[], error: unknown): Promise<never> {
  const left: string[] = []
  for (const { id, name } of made) await api.calendars.delete(id).catch(() => left.push(name))
  throw left.length > 0 ? new PartlyDone(left, error) : error
}

/** Changes the password of all calendars with the same user name at the same host. */
export const changePassword = ({ username, host }: Calendar, password: string): Action => ({
  says: 'Password changed.',
  send: async () => {
    const calendars = await api.calendars.list()
    const same = calendars.filter((each) => each.username === username && each.host === host)
    await Promise.all(
      same.map(({ id }) => api.calendars.update(id, { username: username ?? '', password })),
    )
  },
  refreshes: around,
})

type Settings = Omit<CalendarChanges, 'url' | 'username' | 'password'>

export const updateCalendar = (calendar: Calendar, changes: Settings): Action => ({
  expect: ({ update }) =>
    update<Calendar[]>(keys.calendars, (all) =>
      all.map((each) => (each.id === calendar.id ? { ...each, ...changes } : each)),
    ),
  record: calendar.id,
  send: () => api.calendars.update(calendar.id, changes),
  refreshes: around,
  undo: () => updateCalendar({ ...calendar, ...changes }, formerOf(calendar, changes)),
})

const formerOf = (calendar: Calendar, changes: Settings): Settings =>
  Object.fromEntries(
    Object.keys(changes).map((name) => [name, calendar[name as keyof Settings & keyof Calendar]]),
  )

export const refreshCalendar = ({ id, name }: Calendar): Action => ({
  says: `Fetching “${name}”.`,
  send: () => api.calendars.refresh(id),
  refreshes: [keys.calendars],
})

export const deleteCalendar = ({ id, name }: Calendar): Action => ({
  says: `Removed the calendar “${name}”.`,
  expect: ({ update }) =>
    update<Calendar[]>(keys.calendars, (all) => all.filter((each) => each.id !== id)),
  record: id,
  send: () => api.calendars.delete(id),
  refreshes: around,
})
