import type { Mutant } from '../kit/harness.ts'

const file = 'server/bin/run.ts'

export const mutants: Mutant[] = [
  {
    name: 'every connection is cut when it is told to stop',
    edits: [
      {
        file,
        find: 'Server.prototype.close.call(app.server)',
        replace: 'Server.prototype.close.call(app.server)\n  app.server.closeAllConnections()',
      },
    ],
  },
  {
    name: 'clients are not told that an answer is their last',
    edits: [{ file, find: 'answer.shouldKeepAlive = false', replace: 'void answer' }],
  },
  {
    name: 'the database is left before the last request',
    edits: [
      {
        file,
        find: 'Server.prototype.close.call(app.server)',
        replace: 'Server.prototype.close.call(app.server)\n    void db.end()',
      },
      { file, find: '    await db.end()\n', replace: '' },
    ],
  },
  {
    name: 'a client that never finishes keeps it from ending',
    control: 'stuck',
    edits: [{ file, find: 'app.server.closeAllConnections()', replace: '{}' }],
  },
  {
    name: 'it ends at once',
    edits: [{ file, find: 'await sleep(config.DRAIN_DELAY_MS)', replace: 'process.exit(0)' }],
  },
]
