import type { Format } from './inputs.ts'

/** A function that takes bytes that others write. */
export type Taker = {
  name: string
  /** What its input looks like. */
  format: Format
  take: (input: string) => unknown
  /** Its caller refuses more bytes. */
  mostBytes: number
  /**
   * The steps per kB that no input may exceed: a little more than the most that any takes today. What runs on the
   * thread that serves requests should need few.
   */
  mostSteps: number
  /** The exported functions, tasks and schemas that it covers; a test looks for others. */
  covers?: string[]
}

export const megabyte = 1_000_000
export const now = new Date('2026-01-05T08:00:00Z')
