import type { Notification, Notifications } from '@daywright/contract'
import { api } from '../api.ts'
import { keys } from '../keys.ts'
import type { Action } from '../action.ts'

export const markRead = ({ id }: Notification): Action => ({
  expect: ({ update }) =>
    update<Notifications>(keys.notifications, ({ notifications, unreadCount }) => ({
      notifications: notifications.map((each) => (each.id === id ? { ...each, read: true } : each)),
      unreadCount: Math.max(0, unreadCount - 1),
    })),
  send: () => api.notifications.markRead(id),
  refreshes: [keys.notifications],
})

export const markAllRead = (): Action => ({
  says: 'Marked all as read.',
  expect: ({ update }) =>
    update<Notifications>(keys.notifications, ({ notifications }) => ({
      notifications: notifications.map((each) => ({ ...each, read: true })),
      unreadCount: 0,
    })),
  send: () => api.notifications.markAllRead(),
  refreshes: [keys.notifications],
})

export const askFor = (type: 'morning_summary' | 'at_risk'): Action<{ generated: number }> => ({
  send: () => api.notifications.generate(type),
  refreshes: [keys.notifications],
})
