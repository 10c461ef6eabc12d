// Each fault removes the protection against one attack; `control` names the attack.
import type { Edit } from '../kit/plant.ts'
import type { Mutant } from '../kit/harness.ts'

const edit = (file: string, find: string, replace: string): Edit => ({ file, find, replace })

/** First come, first served, however many slots the sender holds. */
const unfair = edit(
  'server/src/fair-share.ts',
  'held < Math.max(places - 2 * (taken - held), (places + reserve - taken) / 6)',
  'held < 0 || taken < places + reserve',
)

export const mutants: Mutant[] = [
  {
    name: 'an answer that is not read keeps its place and is not counted (F1)',
    control: 'unread',
    edits: [
      unfair,
      edit(
        'server/src/http/arrive.ts',
        `    request.place?.leave()
    const bytes = sizeOf(payload)
    unread.track(partyOf(request), reply.raw, bytes)
    for (const charge of request.charges ?? []) charge(bytes)
`,
        '',
      ),
    ],
  },
  {
    name: 'a window may have any number of days (F2)',
    control: 'days',
    edits: [edit('contract/src/schedule-preferences.ts', '.min(1).max(7)', '.min(1)')],
  },
  {
    name: 'look-ups of silent names hold the places of all deliveries (F3)',
    control: 'names',
    settings: { WEBHOOK_CONCURRENCY: '3' },
    edits: [
      edit('server/src/webhooks/resolve-name.ts', 'longestMs = 4000', 'longestMs = 600_000'),
      edit(
        'server/src/webhooks/resolve-name.ts',
        '{ timeout: 1000, tries: 2 }',
        '{ timeout: 60_000, tries: 4 }',
      ),
      edit(
        'server/src/webhooks/resolve-name.ts',
        '(refusedUntil.get(name) ?? 0) > time',
        'time < 0',
      ),
    ],
  },
  {
    name: 'a planner run that waits keeps its place (F4)',
    control: 'planner',
    edits: [
      unfair,
      edit(
        'server/src/http/write.ts',
        `      request.place?.leave()
      if (request.body)`,
        '      if (request.body)',
      ),
    ],
  },
  {
    name: 'events carry whole documents (F5)',
    control: 'documents',
    edits: [
      edit(
        'server/src/documents/document-json.ts',
        `length: 'octet_length(document.content)',`,
        `length: 'octet_length(document.content)', text: 'document.content',`,
      ),
    ],
  },
  {
    name: 'every spelling of a time zone is kept (F8)',
    control: 'zones',
    edits: [
      edit(
        'server/src/user/user.queries.ts',
        '&& spellTimezone(changes.timezone)',
        '&& changes.timezone',
      ),
      edit(
        'server/src/notifications/local-time.ts',
        'formats.size > formatsKept &&',
        'formats.size < 0 &&',
      ),
    ],
  },
]
