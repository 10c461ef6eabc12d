// What every harness is: a way of trying to break the service, and faults planted in it that the
// harness must find. One that misses a planted fault proves nothing by finding none.
import type { Edit } from './plant.ts'

export type Harness = {
  name: string
  /** Tries to break the service and says what it found. A planted fault may end it at the first. */
  prove(trial: Trial): Promise<Result>
  mutants: Mutant[]
  /** How many of the planted faults the short dose looks for, chosen by the seed; all, without it. */
  mutantsInShort?: number
  /** Called when all is done: leaves nothing behind, and says what was measured on the way. */
  leave?(): Promise<string[]>
  /** Nothing else may run beside it: it measures time. */
  isAlone?: true
  /** How many planted faults may be looked for at the same time; one, if it measures time. */
  atOnce?: number
}

export type Dose = 'short' | 'long'

export type Trial = {
  dose: Dose
  /** Everything random follows from it; a finding is reported with it. */
  seed: number
  /** A PostgreSQL server to make databases on. */
  postgres: string
  /** The fault that is planted, if this is not the service as it is. */
  mutant?: Mutant
  /** Raised when the time is up. */
  signal: AbortSignal
  /** A line for whoever watches. */
  say(line: string): void
}

export type Mutant = {
  name: string
  /** The fault, as a change of the service's own source. */
  edits?: Edit[]
  /** Or as settings of the service. */
  settings?: Record<string, string>
  /** Or as something only its harness understands. */
  control?: string
}

export type Result = {
  /** The dose, counted: '20,000 commands'. */
  tried: string
  /** Each in one line, with what it takes to see it again. */
  findings: string[]
  /** Measured on the way, for the table's notes. */
  figures?: string[]
}

/** The longest that finding a planted fault may take. It is looked for once, with one seed. */
export const mutantPatienceMs = 180_000
