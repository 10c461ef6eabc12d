import type { Calendar, CalendarChanges, NewCalendar } from '@daywright/contract'
import { api } from '../api.ts'
import { keys } from '../keys.ts'
import type { Action } from '../action.ts'

const around = [keys.calendars, keys.calendarEvents, keys.planner]

export const createCalendar = (calendar: NewCalendar): Action<Calendar> => ({
  says: 'Calendar added. Its events appear in a few seconds.',
  send: () => api.calendars.create(calendar),
  refreshes: around,
})

type Settings = Omit<CalendarChanges, 'url'>

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
