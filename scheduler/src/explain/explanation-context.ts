// A finished plan with the lookups that its explanations need.
import { singleTaskBounds, type SingleTaskBounds } from '../bounds/single-task.ts'
import type { Compiled } from '../problem/compile.ts'
import { subtract, union } from '../problem/intervals.ts'
import { createTimeFormat, formatTitle, type TimeFormat } from './format.ts'

export type PlacedBlock = { task: number; start: number; end: number }

export type ExplanationContext = {
  compiled: Compiled
  taskBounds: SingleTaskBounds
  format: TimeFormat
  /** Per task number the pairs of its new sessions. */
  sessions: readonly ArrayLike<number>[]
  /** All of them in order of time. */
  blocks: readonly PlacedBlock[]
  /** Per task: minutes that are not placed. */
  rest: Int32Array
  /** Per task: the end of its last block, kept or new; `NO_END` without any. */
  end: Int32Array
  /** Free time in which the task could lie. */
  gaps: (j: number) => Int32Array
  /** `Tue 13:55` of a minute. */
  when: (minute: number) => string
  /** The due date as text. */
  dueText: (j: number) => string
  title: (j: number) => string
}

export function createExplanationContext(
  compiled: Compiled,
  sessions: readonly ArrayLike<number>[],
  blocks: readonly PlacedBlock[],
  taskBounds = singleTaskBounds(compiled),
): ExplanationContext {
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
  const format = createTimeFormat(compiled.timezone, problem.now)
  return {
    compiled,
    taskBounds,
    format,
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
    when: (minute) => format.time(t0 + minute * 60_000),
    dueText: (j) => format.time(tasks[j]!.dueAt!),
    title: (j) => (titles[j] ??= formatTitle(tasks[j]!.title)),
  }
}

/** All of its work is placed, and ends by the due date if there is one. */
export const inTime = ({ compiled, rest, end }: ExplanationContext, j: number) =>
  !rest[j] && end[j]! <= compiled.due[j]!
