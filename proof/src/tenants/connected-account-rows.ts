// The connected accounts of both people.
import { ada, adasMark, id } from './ids.ts'

export const tokens = (mark: string) =>
  JSON.stringify({ accessToken: mark, refreshToken: mark, expiresAt: 0 })

/**
 * The calendar of the account has stopped, since access was refused. Both people have the same tokens: a statement that
 * replaces Grace's must not replace Ada's.
 */
export const connectedAccounts = (user: string, mark: string) => `
  insert into connected_accounts (user_id, id, kind, email, sealed_tokens, created_at) values
    ('${user}', '${id(19, 1)}', 'google', 'me@example.com', '${tokens('stored')}', '2026-01-01');
  insert into calendars (user_id, id, name, color, sealed_url, host, blocks, all_day, tentative_blocks,
                         padding_minutes, account_id, provider, created_at) values
    ('${user}', '${id(15, 4)}', '${mark} 4', '#112233', 'https://example.com/api/calendars/me/events', 'example.com', true, 'marked', true, 0, '${id(19, 1)}',
     'google', '2026-01-04');`

/** As many accounts as a user may have; one of them has the address that Grace connects. */
export const adasConnectedAccounts = `
  insert into connected_accounts (user_id, id, kind, email, sealed_tokens)
  select '${ada}', ('00000013-0000-7000-8000-0000000001' || lpad(n::text, 2, '0'))::uuid, 'google',
         case when n = 1 then 'new' else '${adasMark}' || n end || '@example.com', '${tokens(adasMark)}'
    from generate_series(1, 9) n;`
