// The calendars that show the plans of both people.
import { ada, adasMark, id } from './ids.ts'

const sealed = (password: string) =>
  JSON.stringify({ url: 'https://example.com/plan/', username: 'me', password })

/** The first has shown nothing yet; the second is two-way, and one of its events no longer has a block. */
export const planCalendars = (user: string, mark: string) => `
  insert into plan_calendars (user_id, id, name, sealed_url, host, username, detail, two_way, sync_token, error,
                              created_at) values
    ('${user}', '${id(18, 1)}', '${mark}', '${sealed('secret')}', 'example.com', 'me', 'full', false, null, null, '2026-01-01'),
    ('${user}', '${id(18, 2)}', '${mark} 2', '${sealed('secret')}', 'example.com', 'me', 'titles', true, '${mark}', 'as before',
     '2026-01-02');
  insert into published_blocks (user_id, plan_calendar_id, thread, etag, fingerprint, start_at, end_at) values
    ('${user}', '${id(18, 2)}', '${id(8, 1)}', '"1"', '', '2026-03-02T09:00Z', '2026-03-02T10:00Z'),
    ('${user}', '${id(18, 2)}', '${id(8, 99)}', '"1"', '', '2026-03-02T09:00Z', '2026-03-02T10:00Z');`

/** Rows that a statement without a user condition would find instead of Grace's. */
export const adasPlanCalendars = `
  update plan_calendars set sealed_url = replace(sealed_url, '/plan/', '/${adasMark}/'), next_sync_at = '2026-03-01'
   where user_id = '${ada}' and id = '${id(18, 2)}';
  update published_blocks set etag = '"2"' where user_id = '${ada}';
  insert into published_blocks (user_id, plan_calendar_id, thread, etag, fingerprint, start_at, end_at) values
    ('${ada}', '${id(18, 1)}', '${id(8, 1)}', '"2"', '', '2026-03-02T09:00Z', '2026-03-02T10:00Z');
  insert into plan_calendars (user_id, id, name, sealed_url, host, username, detail, two_way, next_sync_at)
  select '${ada}', ('00000012-0000-7000-8000-0000000001' || lpad(n::text, 2, '0'))::uuid, '${adasMark}', '', '', '',
         'full', true, '2026-03-01' from generate_series(1, 3) n;
  update user_state set publishes = true where user_id = '${ada}';`
