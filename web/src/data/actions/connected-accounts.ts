import type { AccountCalendars, Calendar, ConnectedAccount, NewCalendar } from '@daywright/contract'
import type { Action } from '../action.ts'
import { api } from '../api.ts'
import { keys } from '../keys.ts'
import { createAllCalendars } from './calendars.ts'

const refreshes = [keys.connectedAccounts, keys.calendars, keys.calendarEvents, keys.planner]

/** Connects an account with the code and state that the provider added to the URL of the settings page. */
export const connectAccount = (given: {
  code: string
  state: string
}): Action<ConnectedAccount> => ({
  says: 'Account connected. Choose its calendars.',
  send: () => api.connectedAccounts.create(given),
  refreshes,
})

export const disconnectAccount = ({ id, email }: ConnectedAccount): Action => ({
  says: `Disconnected ${email || 'the account'}.`,
  record: id,
  send: () => api.connectedAccounts.delete(id),
  refreshes,
})

type Found = AccountCalendars['calendars'][number]

export const addAccountCalendars = (accountId: string, found: Found[]): Action<Calendar[]> => ({
  says: 'Calendars added. Their events appear in a few seconds.',
  send: () =>
    createAllCalendars(
      found.map(({ url, name, color }): NewCalendar => ({
        url,
        accountId,
        ...(name && { name }),
        ...(color && { color }),
      })),
    ),
  refreshes,
})
