// A harness tries to break the service, and must find the faults planted in it. If a harness misses a
// planted fault, its lack of findings proves nothing.

export type Harness = {
  name: string
  /** Tries to break the service and returns its findings. With a planted fault, the first finding is enough. */
  prove(trial: Trial): Promise<Result>
  mutants: Mutant[]
  /** Patches that are applied in every run, with or without a fault, to make the service observable. */
  patches?: string[]
  /** How many planted faults the short dose tries, chosen by the seed; all by default. */
  mutantsInShort?: number
  /** Called at the end: cleans up, and returns what was measured. */
  leave?(): Promise<string[]>
  /**
   * How many harnesses may run together, this one included: 3 by default, 2 if it mostly waits or measures seconds,
   * 1 if it measures milliseconds.
   */
  mostTogether?: 1 | 2
  /** How many planted faults may be tried at the same time; one, if it measures time. */
  atOnce?: number
}

export type Dose = 'short' | 'long'

export type Trial = {
  dose: Dose
  /** All random choices depend on it; it is reported with each finding. */
  seed: number
  /** A PostgreSQL server to create databases on. */
  postgres: string
  /** The planted fault, if any. */
  mutant?: Mutant
  /** Aborted when the time is up. */
  signal: AbortSignal
  /** Prints a progress line. */
  say: (line: string) => void
}

export type Mutant = {
  name: string
  /** The fault, as a patch of the service's own sources: a path from the root of the repository. */
  patch?: string
  /** The fault, as settings of the service. */
  settings?: Record<string, string>
  /** Interpreted by the harness: mostly the name of its part that must find the fault. */
  control?: string
  /** Only findings that match this regular expression count as found; all, if it is not set. */
  shows?: string
}

export type Result = {
  /** The amount of work: '20,000 commands'. */
  tried: string
  /** One line each, with what is needed to reproduce it. */
  findings: string[]
  /** Measurements for the table's notes. */
  figures?: string[]
}

/** The time limit for finding a planted fault. Each is tried once, with one seed. */
export const mutantPatienceMs = 180_000
