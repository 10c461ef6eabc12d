import type { NewPlanCalendar, PlanCalendar, PlanCalendarChanges } from '@daywright/contract'
import type { Action } from '../action.ts'
import { api } from '../api.ts'
import { keys } from '../keys.ts'

const refreshes = [keys.planCalendars]

export const createPlanCalendar = (calendar: NewPlanCalendar): Action<PlanCalendar> => ({
  says: 'Your plan appears there in a few seconds.',
  send: () => api.planCalendars.create(calendar),
  refreshes,
})

export const updatePlanCalendar = ({ id }: PlanCalendar, changes: PlanCalendarChanges): Action => ({
  expect: ({ update }) =>
    update<PlanCalendar[]>(keys.planCalendars, (all) =>
      all.map((each) => {
        const { password: _, ...shown } = changes
        return each.id === id ? { ...each, ...shown } : each
      }),
    ),
  record: id,
  send: () => api.planCalendars.update(id, changes),
  refreshes,
})

/** Disconnects a calendar. Its events stay there (`leave`), or are deleted first (`remove`). */
export const deletePlanCalendar = (
  { id, name }: PlanCalendar,
  events: 'leave' | 'remove',
): Action => ({
  says:
    events === 'leave'
      ? `“${name}” is no longer kept up to date.`
      : `The events in “${name}” are being deleted.`,
  expect: ({ update }) =>
    update<PlanCalendar[]>(keys.planCalendars, (all) =>
      events === 'leave'
        ? all.filter((each) => each.id !== id)
        : all.map((each) => (each.id === id ? { ...each, removing: true } : each)),
    ),
  record: id,
  send: () => api.planCalendars.delete(id, events),
  refreshes,
})
