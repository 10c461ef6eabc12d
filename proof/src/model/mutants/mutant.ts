import type { Mutant } from '../../kit/harness.ts'

/** A fault in a source of the service; `control` names the profile that should find it first. */
export const fault =
  (control: string, file: string) =>
  (name: string, find: string, replace: string, nth?: number): Mutant => ({
    name: `${control}: ${name}`,
    control,
    edits: [{ file, find, replace, nth }],
  })
