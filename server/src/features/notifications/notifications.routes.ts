import {
  Generated,
  MarkedRead,
  NotificationRead,
  NotificationRequest,
  Notifications,
  Success,
} from '@daywright/contract'
import { errors, type Routes, success } from '../../platform/http/routes.ts'
import { generateNotification } from './generate-notification.ts'
import { listNotifications, markAllRead, markRead } from './notifications.queries.ts'

export const notificationRoutes: Routes = async (app, { now, write }) => {
  app.get(
    '/api/notifications',
    {
      schema: {
        operationId: 'listNotifications',
        summary: 'My 50 newest notifications, and how many are unread',
        response: { 200: Notifications },
      },
    },
    (request) => listNotifications(request.db, request.userId),
  )

  write(app).post(
    '/api/notifications',
    {
      schema: {
        operationId: 'generateNotification',
        summary: 'Write the summary of my day, or an alert for tasks at risk',
        body: NotificationRequest,
        response: { 200: Generated, ...errors(400) },
      },
    },
    (request) => generateNotification(request.db, request.userId, request.body, now()),
  )

  write(app).patch(
    '/api/notifications',
    {
      schema: {
        operationId: 'markAllRead',
        summary: 'Mark all my notifications as read',
        response: { 200: MarkedRead },
      },
    },
    (request) => markAllRead(request.db, request.userId),
  )

  write(app).post(
    '/api/notifications/read',
    {
      schema: {
        operationId: 'markRead',
        summary: 'Mark one notification as read',
        body: NotificationRead,
        response: { 200: Success, ...errors(400, 404) },
      },
    },
    async (request) => {
      await markRead(request.db, request.userId, request.body.notificationId)
      return success
    },
  )
}
