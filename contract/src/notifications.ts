import { z } from 'zod'
import { Id, Timestamp } from './values.ts'

const example = {
  id: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2ea1',
  userId: '01980f2e-0000-7d3e-9b54-000000000001',
  type: 'at_risk_deadline',
  title: '1 task is due within 24 hours and not planned',
  body: 'Write the report, due Fri 6 Mar 16:00',
  read: false,
  metadata: { taskIds: ['01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e41'] },
  createdAt: '2026-03-02T08:00:00.000Z',
}

export const Notification = z
  .object({
    id: Id,
    userId: Id,
    type: z.string(),
    title: z.string(),
    body: z.string(),
    read: z.boolean(),
    metadata: z.record(z.string(), z.unknown()),
    createdAt: Timestamp,
  })
  .meta({ id: 'Notification', examples: [example] })

export const Notifications = z
  .object({ notifications: z.array(Notification), unreadCount: z.int() })
  .meta({ id: 'Notifications', examples: [{ notifications: [example], unreadCount: 1 }] })

export const NotificationRequest = z
  .object({ type: z.enum(['morning_summary', 'at_risk']) })
  .meta({ id: 'NotificationRequest', examples: [{ type: 'morning_summary' }] })

export const Generated = z
  .object({ generated: z.int(), unreadCount: z.int() })
  .meta({ id: 'Generated', examples: [{ generated: 1, unreadCount: 3 }] })

export const MarkedRead = z
  .object({ markedRead: z.int() })
  .meta({ id: 'MarkedRead', examples: [{ markedRead: 3 }] })

export const NotificationRead = z
  .object({ notificationId: Id })
  .meta({ id: 'NotificationRead', examples: [{ notificationId: example.id }] })

export type Notification = z.infer<typeof Notification>
export type Notifications = z.infer<typeof Notifications>
export type NotificationRequest = z.infer<typeof NotificationRequest>
export type Generated = z.infer<typeof Generated>
export type MarkedRead = z.infer<typeof MarkedRead>
