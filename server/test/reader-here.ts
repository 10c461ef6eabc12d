import { makeReader } from '../src/features/calendars/reader.ts'
import { makeTasks, type ReadFiles } from '../src/features/calendars/reader-tasks.ts'
import type { Tasks } from '../src/platform/readers/tasks.ts'

/** A reader in this process, which reads files with the given function. */
export function readerHere(readFiles: ReadFiles) {
  const tasks = makeTasks(readFiles) as unknown as Tasks
  return makeReader(async (_owner, { task, argument }, parts: readonly Uint8Array[]) => {
    const { value, parts: results = [] } = tasks[task]!(
      argument,
      parts.map((part) => Buffer.from(part)),
    )
    return { kind: 'done', value, parts: results.map((part: Uint8Array) => Buffer.from(part)) }
  })
}
