import { stableId } from '../../../server/src/features/calendars/read-changes.ts'
import { id } from './ids.ts'

const storedEventId = stableId(id(15, 1), 'stored')
const laterEventId = stableId(id(15, 1), 'later')

/**
 * The first calendar is due; its events are those that a refresh finds again (`acts.ts`). The others have failed:
 * otherwise a date this far ahead would count as due, since the clock must have been set back.
 */
export const calendars = (user: string, mark: string, zone: string) => `
  insert into calendars (user_id, id, name, color, sealed_url, host, blocks, all_day, tentative_blocks,
                         padding_minutes, etag, read_on, read_in_zone, event_count, next_fetch_at, error, failures, created_at) values
    ('${user}', '${id(15, 1)}', '${mark}', '#112233', 'https://example.com/a.ics', 'example.com', true, 'marked', true, 0, '${mark}', '2026-03-02',
     '${zone}', 2, '2026-03-02T07:00Z', 'as before', 0, '2026-01-01'),
    ('${user}', '${id(15, 2)}', '${mark} 2', '#112233', '', 'example.com', true, 'marked', true, 0, null, null,
     null, 0, '2026-03-09T07:00Z', null, 1, '2026-01-02');
  insert into calendars (user_id, id, name, color, sealed_url, host, username, blocks, all_day, tentative_blocks,
                         padding_minutes, sync_token, sync_tag, read_on, read_in_zone, next_fetch_at, failures, created_at) values
    ('${user}', '${id(15, 3)}', '${mark} 3', '#112233', '{"url":"https://example.com/c/","password":"secret"}',
     'example.com', 'ada', true, 'marked', true, 0, '${mark}', '${mark}', '2026-03-02', '${zone}',
     '2026-03-09T07:00Z', 1, '2026-01-03');
  -- A key of Ada's: for Grace, it has ended.
  update calendars set next_fetch_at = null, created_by = json_build_object('kind', 'key', 'id', '${id(10, 0x101)}', 'name', '${mark}')
   where user_id = '${user}' and id = '${id(15, 2)}';
  insert into calendar_objects (user_id, calendar_id, path, etag, body) values
    ('${user}', '${id(15, 1)}', '/a.ics', '1', '${mark}'),
    ('${user}', '${id(15, 3)}', '/c/a.ics', '1', '${mark}'),
    ('${user}', '${id(15, 3)}', '/c/b.ics', '1', '${mark}');
  insert into calendar_events (user_id, id, calendar_id, start_at, end_at, all_day, busy, tentative, title)
  values ('${user}', '${storedEventId}', '${id(15, 1)}', '2026-03-02T10:00Z', '2026-03-02T11:00Z',
          false, true, false, '${mark}'),
         ('${user}', '${laterEventId}', '${id(15, 1)}', '2026-06-01T10:00Z', '2026-06-01T11:00Z',
          false, true, false, '${mark}');`
