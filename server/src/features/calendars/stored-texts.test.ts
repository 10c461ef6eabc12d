// What a server sends is stored up to a length that the database enforces, whatever the code above it does.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '../../../test/it.ts'

describe('a text of a server that is too long', () => {
  it.for([
    ['the ETag of a file', `update calendars set etag = repeat('x', 1001)`],
    ['the date of a file', `update calendars set last_modified = repeat('x', 1001)`],
    ['a sync token', `update calendars set sync_token = repeat('x', 10001)`],
    ['a CTag', `update calendars set sync_tag = repeat('x', 10001)`],
    ['the ETag of an object', `update calendar_objects set etag = repeat('x', 1001)`],
    ['the path of an object', `update calendar_objects set path = repeat('x', 2001)`],
    ['the body of an object', `update calendar_objects set body = repeat('x', 10000001)`],
    [
      'a sync token of a calendar we write to',
      `update plan_calendars set sync_token = repeat('x', 10001)`,
    ],
    ['a CTag of a calendar we write to', `update plan_calendars set sync_tag = repeat('x', 10001)`],
    ['the ETag of an event that we wrote', `update published_blocks set etag = repeat('x', 1001)`],
  ] as const)('is refused by the database: %s', async ([, statement], { db, ada }) => {
    const id = randomUUID()
    await db.pool.query(`
      insert into calendars (user_id, id, name, color, shown, sealed_url, host, blocks, all_day, tentative_blocks,
                             padding_minutes)
      values ('${ada.id}', '${id}', 'Team', '#123456', true, '', '', true, 'marked', true, 0);
      insert into calendar_objects (user_id, calendar_id, path, etag, body) values ('${ada.id}', '${id}', 'a', '', '');
      insert into plan_calendars (user_id, id, name, sealed_url, host, username, detail, two_way)
      values ('${ada.id}', '${id}', 'Plan', '', '', '', 'full', false);
      insert into published_blocks (user_id, plan_calendar_id, thread, fingerprint, start_at, end_at)
      values ('${ada.id}', '${id}', '${randomUUID()}', '', now(), now())`)

    await expect(db.pool.query(`${statement} where user_id = '${ada.id}'`)).rejects.toMatchObject({
      code: '23514',
    })
  })
})
