// Actions on API keys, feeds, sessions and the password. None has an undo: what is revoked cannot be restored.
import type {
  ApiKey,
  Feed,
  FeedDetail,
  IssuedApiKey,
  IssuedFeed,
  Scope,
  Session,
} from '@daywright/contract'
import { api } from '../api.ts'
import { keys } from '../keys.ts'
import type { Action } from '../action.ts'

type NewKey = { name: string; scopes: Scope[]; expiresAt: string | null }

export const issueKey = (key: NewKey): Action<IssuedApiKey> => ({
  send: () => api.apiKeys.create(key),
  refreshes: [keys.apiKeys],
})

export const revokeKey = (key: ApiKey): Action => ({
  says: `“${key.name}” no longer works.`,
  expect: ({ update }) =>
    update<ApiKey[]>(keys.apiKeys, (all) => all.filter(({ id }) => id !== key.id)),
  send: () => api.apiKeys.delete(key.id),
  refreshes: [keys.apiKeys],
})

export const createFeed = (feed: { name: string; detail: FeedDetail }): Action<IssuedFeed> => ({
  send: () => api.feeds.create(feed),
  refreshes: [keys.feeds],
})

export const revokeFeed = (feed: Feed): Action => ({
  says: `“${feed.name}” no longer works.`,
  expect: ({ update }) =>
    update<Feed[]>(keys.feeds, (all) => all.filter(({ id }) => id !== feed.id)),
  send: () => api.feeds.delete(feed.id),
  refreshes: [keys.feeds],
})

export const endSession = (session: Session): Action => ({
  says: 'Session ended.',
  expect: ({ update }) =>
    update<Session[]>(keys.sessions, (all) => all.filter(({ id }) => id !== session.id)),
  send: () => api.auth.revokeSession(session.token),
  refreshes: [keys.sessions],
})

export const endOtherSessions = (currentId: string | undefined): Action => ({
  says: 'Signed out everywhere else.',
  expect: ({ update }) =>
    update<Session[]>(keys.sessions, (all) => all.filter(({ id }) => id === currentId)),
  send: () => api.auth.revokeOtherSessions(),
  refreshes: [keys.sessions],
})

export const changePassword = (currentPassword: string, newPassword: string): Action => ({
  says: 'Your password was changed, and all other sessions have ended.',
  send: () => api.auth.changePassword({ currentPassword, newPassword, revokeOtherSessions: true }),
  refreshes: [keys.sessions],
})
