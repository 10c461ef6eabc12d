import type { Change } from '../db/recording.ts'
import { iso } from '../db/statement.ts'

/** A run's JSON fields, as SQL over its row `run`. */
export const run = {
  id: 'run.id',
  state: 'run.state',
  plannedAt: iso('run.planned_at'),
  version: 'run.version',
  inputHash: `encode(run.input_hash, 'hex')`,
  cost: `run.summary -> 'cost'`,
  bound: `run.summary -> 'bound'`,
  gap: `run.summary -> 'gap'`,
  result: `run.summary -> 'result'`,
}

const { id, state, plannedAt, result } = run
const fields = { id, state, plannedAt, result }

/** A run is one event that names the blocks it created and cancelled. */
export const applied = (created: string, cancelled: string): Change => ({
  type: 'plannerRun.applied',
  fields: {
    ...fields,
    createdBlockIds: `${created}::uuid[]`,
    cancelledBlockIds: `${cancelled}::uuid[]`,
  },
  row: 'run',
})

/** The undo of a run is one event as well. */
export const undone = (restored: string, cancelled: string): Change => ({
  type: 'plannerRun.undone',
  fields,
  fieldsAfter: {
    ...fields,
    restoredBlockIds: `${restored}::uuid[]`,
    cancelledBlockIds: `${cancelled}::uuid[]`,
  },
  row: 'run',
})
