import type pg from 'pg'
import { newFeedToken } from '../../../server/src/platform/auth/api-key-format.ts'

/** Gives the user a feed of 2,000 blocks with long titles, and returns its path. */
export async function newFeed(db: pg.Pool, userId: string) {
  await db.query(
    `insert into time_blocks (user_id, id, title, type, source, start_at, end_at)
     select $1, gen_random_uuid(), repeat('é📅', 160), 'event', 'manual',
            date_trunc('hour', now()) + n * interval '15 minutes',
            date_trunc('hour', now()) + (n + 1) * interval '15 minutes'
       from generate_series(1, 2000) n`,
    [userId],
  )
  const { key, hash } = newFeedToken(userId)
  await db.query(
    `insert into feeds (user_id, id, name, detail, hash)
     values ($1, gen_random_uuid(), 'Plan', 'full', $2)`,
    [userId, hash],
  )
  return `/feeds/${key}.ics`
}
