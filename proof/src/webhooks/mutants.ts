import type { Mutant } from '../kit/harness.ts'

const file = 'server/src/webhooks/deliver.ts'

export const mutants: Mutant[] = [
  {
    name: 'a message counts as delivered before it is sent',
    edits: [
      {
        file,
        find: 'const attempt = await send(message)',
        replace: `await markDelivered(db, userId, {
          webhookId, message, number: 1, at: now(), status: 204, error: null, durationMs: 0,
        }, stored, until())
        stored = message
        const attempt = await send(message)`,
      },
    ],
  },
  {
    name: 'each attempt has an id of its own',
    edits: [
      {
        file,
        find: '_${message.seq}_${message.part}`',
        replace: '_${message.seq}_${message.part}_${time.getTime()}`',
      },
    ],
  },
  {
    name: 'all events of a webhook have one id',
    edits: [{ file, find: '_${message.seq}_${message.part}`', replace: '`' }],
  },
  {
    name: 'a failed message does not block later ones',
    edits: [
      {
        file,
        find: 'if (attempt.error !== null) return fail(attempt)',
        replace: 'if (attempt.error !== null) { at = message; continue }',
      },
    ],
  },
  {
    name: 'two workers deliver at once with their own cursors',
    edits: [
      {
        file: 'server/src/webhooks/deliver.queries.ts',
        find: 'and (next_at is null or next_at <= $3)',
        replace: 'and $3::timestamptz is not null',
      },
      {
        file: 'server/src/webhooks/deliver.queries.ts',
        find: 'and (seq, part) = ($13::bigint, $14::int)',
        replace: 'and ($13::bigint, $14::int) is not null',
      },
      {
        file: 'server/src/worker/worker.ts',
        find: 'webhookIds.map((id) => `${userId}/${id}`),\n      userId,',
        replace: 'webhookIds.map((id) => `${userId}/${id}/${Math.random()}`),',
      },
    ],
  },
]
