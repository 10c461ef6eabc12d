// The caller's account. Keys, feeds, accounts and passwords need a session, not an API key.
import {
  Account,
  AccountAuthorization,
  AccountCalendars,
  type AccountChanges,
  AccountPage,
  ApiKey,
  ConnectedAccount,
  type ConnectedAccountKind,
  ConnectedAccounts,
  CurrentSession,
  Done,
  Feed,
  IssuedApiKey,
  IssuedFeed,
  Job,
  type NewApiKey,
  type NewConnectedAccount,
  type NewFeed,
  type NewPlanCalendar,
  PlanCalendar,
  type PlanCalendarChanges,
  type PasswordChange,
  Profile,
  Session,
  Settings,
  type SettingsChanges,
  SignedIn,
  CalendarInQuarantine,
  type SignIn,
  type SignUp,
  SignUpState,
  Success,
  Usage,
} from '@daywright/contract'
import { at, type Call, type Sent } from './call.ts'
import { type PageOf, recordsOf } from './pages.ts'

export const account = (call: Call) => {
  const listAccounts = (page?: PageOf<object>) => call.get(AccountPage, '/api/admin/users', page)

  return {
    auth: {
      signUpState: () => call.get(SignUpState, '/api/auth/sign-up'),
      signUp: (person: SignUp) => call.post(SignedIn, '/api/auth/sign-up/email', person),
      signIn: (credentials: SignIn) => call.post(SignedIn, '/api/auth/sign-in/email', credentials),
      signOut: () => call.post(Done, '/api/auth/sign-out'),
      /** Null without a session. */
      session: () => call.get(CurrentSession, '/api/auth/get-session'),
      sessions: () => call.get(Session.array(), '/api/auth/list-sessions'),
      revokeSession: (token: string) => call.post(Done, '/api/auth/revoke-session', { token }),
      revokeOtherSessions: () => call.post(Done, '/api/auth/revoke-other-sessions'),
      changePassword: (change: PasswordChange) =>
        call.post(Done, '/api/auth/change-password', change),
    },

    user: {
      get: () => call.get(Profile, '/api/user'),
      update: (changes: { displayName?: string; timezone?: string }) =>
        call.patch(Profile, '/api/user', changes),
    },

    settings: {
      get: () => call.get(Settings, '/api/settings'),
      update: (changes: Sent<typeof SettingsChanges>) =>
        call.patch(Settings, '/api/settings', changes),
    },

    /** The user's usage and limit of each resource. */
    usage: () => call.get(Usage, '/api/usage'),

    apiKeys: {
      list: () => call.get(ApiKey.array(), '/api/api-keys'),
      /** Only this response contains the key itself. */
      create: (key: Sent<typeof NewApiKey>) => call.post(IssuedApiKey, '/api/api-keys', key),
      delete: (id: string) => call.delete(at`/api/api-keys/${id}`),
    },

    feeds: {
      list: () => call.get(Feed.array(), '/api/feeds'),
      /** Only this response contains the address. */
      create: (feed: Sent<typeof NewFeed>) => call.post(IssuedFeed, '/api/feeds', feed),
      delete: (id: string) => call.delete(at`/api/feeds/${id}`),
    },

    /** Accounts at Google and Microsoft, if the operator has registered the server there. */
    connectedAccounts: {
      list: () => call.get(ConnectedAccounts, '/api/connected-accounts'),
      /** The address at which the user grants access; it redirects back to the settings with a code and a state. */
      authorize: (kind: ConnectedAccountKind) =>
        call.post(AccountAuthorization, '/api/connected-accounts/authorize', { kind }),
      create: (given: Sent<typeof NewConnectedAccount>) =>
        call.post(ConnectedAccount, '/api/connected-accounts', given),
      calendars: (id: string) =>
        call.get(AccountCalendars, at`/api/connected-accounts/${id}/calendars`),
      /** Also deletes the calendars of the account. */
      delete: (id: string) => call.delete(at`/api/connected-accounts/${id}`),
    },

    planCalendars: {
      list: () => call.get(PlanCalendar.array(), '/api/plan-calendars'),
      create: (calendar: Sent<typeof NewPlanCalendar>) =>
        call.post(PlanCalendar, '/api/plan-calendars', calendar),
      update: (id: string, changes: PlanCalendarChanges) =>
        call.patch(PlanCalendar, at`/api/plan-calendars/${id}`, changes),
      /** With `remove`, the events that were written to it are deleted first. */
      delete: (id: string, events: 'leave' | 'remove' = 'leave') =>
        call.delete(`${at`/api/plan-calendars/${id}`}?events=${events}`),
    },

    admin: {
      users: {
        list: listAccounts,
        all: (page?: PageOf<object>) => recordsOf(listAccounts, page),
        update: (id: string, changes: AccountChanges) =>
          call.patch(Account, at`/api/admin/users/${id}`, changes),
        /** The usage and limit of each resource for another user. */
        usage: (id: string) => call.get(Usage, at`/api/admin/users/${id}/usage`),
      },
      /** Calendars whose reading has ended the service or a reader. */
      quarantine: () => call.get(CalendarInQuarantine.array(), '/api/admin/quarantine'),
      /** Parked jobs: they have failed too often to be retried automatically. */
      jobs: {
        list: () => call.get(Job.array(), '/api/admin/jobs'),
        retry: (id: string) =>
          call.post(Success, `/api/admin/jobs/${encodeURIComponent(id)}/retry`),
        discard: (id: string) => call.delete(`/api/admin/jobs/${encodeURIComponent(id)}`),
      },
    },
  }
}
