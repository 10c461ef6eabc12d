import type { Mutant } from '../kit/harness.ts'

const file = 'server/bin/run.ts'

export const mutants: Mutant[] = [
  {
    name: 'every connection is cut on SIGTERM',
    edits: [
      {
        file,
        find: 'Server.prototype.close.call(app.server)',
        replace: 'Server.prototype.close.call(app.server)\n  app.server.closeAllConnections()',
      },
    ],
  },
  {
    name: 'answers while draining have no Connection: close',
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
    name: 'an unfinished request keeps the process alive',
    control: 'stuck',
    edits: [{ file, find: 'app.server.closeAllConnections()', replace: '{}' }],
  },
  {
    name: 'the process exits at once',
    edits: [{ file, find: 'await sleep(config.DRAIN_DELAY_MS)', replace: 'process.exit(0)' }],
  },
]
