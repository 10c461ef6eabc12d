import type { Generated, NotificationRequest } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { lockUser } from '../../platform/db/lock-user.ts'
import { countUnread } from './notifications.queries.ts'
import { writeAtRiskAlert } from './write-at-risk-alert.ts'
import { writeMorningSummary } from './write-morning-summary.ts'

const generators = { morning_summary: writeMorningSummary, at_risk: writeAtRiskAlert }

/**
 * Writes a notification and counts the unread ones. Serialized per user: concurrent alerts would name the same tasks
 * and count each other.
 */
export const generateNotification = (
  db: Db,
  userId: string,
  { type }: NotificationRequest,
  now: Date,
): Promise<Generated> =>
  db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    const generated = await generators[type](transaction, userId, now)
    return { generated, unreadCount: await countUnread(transaction, userId) }
  })
