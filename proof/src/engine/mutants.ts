import type { Mutant } from '../kit/harness.ts'

const recording = 'server/src/db/recording.ts'
const run = 'const planned = await retrying(run)'

export const mutants: Mutant[] = [
  {
    name: 'jobs of dead workers are not unlocked',
    edits: [
      {
        file: 'server/src/worker/engine.ts',
        find: 'await queue.unlockDead()',
        replace: 'await null',
      },
    ],
  },
  {
    name: 'the lease of a webhook outlives its holder',
    edits: [
      {
        file: 'server/src/webhooks/deliver.ts',
        find: 'const leaseMs = 15_000',
        replace: 'const leaseMs = 86_400_000',
      },
    ],
  },
  {
    name: 'the mark is cleared apart from the run',
    edits: [
      {
        file: 'server/src/worker/attend.ts',
        find: run,
        replace: `await db.query({
          name: 'cleared',
          text: 'update agendas set stale_since = null where user_id = $1',
          values: [userId],
        })
        ${run}`,
      },
    ],
  },
  {
    name: 'a run clears the mark of what it has not seen',
    edits: [
      {
        file: recording,
        find: 'case when agenda.last_event <> ${planned} then',
        replace: 'case when ${planned} is null then',
      },
    ],
  },
  {
    name: 'two workers may plan for one user at once',
    edits: [
      {
        file: 'server/src/planner/run-planner.ts',
        find: 'await lockUser(transaction, userId)',
        replace: 'await null',
        nth: 0,
      },
    ],
  },
  {
    name: 'events are numbered before the lock',
    edits: [
      {
        file: recording,
        find: 'select $1, counted.last_event, row_number()',
        replace: `select $1, 1 + coalesce((select max(seq) from events where user_id = $1), 0),
           row_number()`,
      },
    ],
  },
  {
    name: 'a stream is written to by two at once',
    edits: [
      {
        file: 'server/src/events/streams.ts',
        find: 'if (busy.has(userId) || resting.has(userId)) return',
        replace: 'await null',
      },
    ],
  },
  {
    name: 'a page begins with the last event of the one before',
    edits: [
      {
        file: 'server/src/changes/changes.queries.ts',
        find: '(events.seq, events.part) > ($2::bigint, $3::int)',
        replace: '(events.seq, events.part) >= ($2::bigint, $3::int)',
      },
    ],
  },
]
