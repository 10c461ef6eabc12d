// What a reader does, and what it answers.

/** A pure function of untrusted bytes. `parts` are large inputs and results. */
export type ReaderTask = (
  argument: never,
  parts: Buffer[],
) => { value: unknown; parts?: Uint8Array[] }
export type Tasks = Record<string, (argument: unknown, parts: Buffer[]) => ReturnType<ReaderTask>>

export type Request = { task: string; argument: unknown }
export type Answer =
  | { result: unknown; cpuMs: number }
  /** The task has thrown an error. */
  | { fault: string; cpuMs: number }
