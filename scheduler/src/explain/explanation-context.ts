// A finished plan with all that its explanations look up.
import { singleTaskBounds, type SingleTaskBounds } from '../bounds/single-task.ts'
import type { Compiled } from '../problem/compile.ts'
import { subtract, union } from '../problem/intervals.ts'
import { quote, type Words, wordsFor } from './format.ts'

export type PlacedBlock = { task: number; start: number; end: number }

export type Outlook = {
  compiled: Compiled
  taskBounds: SingleTaskBounds
  words: Words
  /** Per task number the pairs of its new sessions. */
  sessions: readonly ArrayLike<number>[]
  /** All of them in order of time. */
  blocks: readonly PlacedBlock[]
  /** Per task: minutes without a place. */
  rest: Int32Array
  /** Per task: the end of its last block, kept or new; `NO_END` without any. */
  end: Int32Array
  /** Where the task could lie and nobody does. */
  gaps: (j: number) => Int32Array
  /** `Tue 13:55` of a minute. */
  when: (minute: number) => string
  /** The due date in words. */
  dueWords: (j: number) => string
  title: (j: number) => string
}

export function outlook(
  compiled: Compiled,
  sessions: readonly ArrayLike<number>[],
  blocks: readonly PlacedBlock[],
  taskBounds = singleTaskBounds(compiled),
): Outlook {
  const { tasks, t0, problem } = compiled
  const rest = Int32Array.from(compiled.need)
  const end = Int32Array.from(compiled.keptEnd)
  for (const block of blocks) {
    rest[block.task]! -= block.end - block.start
    end[block.task] = Math.max(end[block.task]!, block.end)
  }
  const taken = union(blocks.map(({ start, end }) => [start, end]))
  const gaps = new Map<Int32Array, Int32Array>()
  const titles: string[] = []
  const words = wordsFor(compiled.timezone, problem.now)
  return {
    compiled,
    taskBounds,
    words,
    sessions,
    blocks,
    rest,
    end,
    gaps(j) {
      const room = taskBounds.room[j]!
      const left = gaps.get(room) ?? subtract(room, taken)
      gaps.set(room, left)
      return left
    },
    when: (minute) => words.time(t0 + minute * 60_000),
    dueWords: (j) => words.time(tasks[j]!.dueAt!),
    title: (j) => (titles[j] ??= quote(tasks[j]!.title)),
  }
}

/** Its work is over, and in time as far as there is a due date. */
export const inTime = ({ compiled, rest, end }: Outlook, j: number) =>
  !rest[j] && end[j]! <= compiled.due[j]!
