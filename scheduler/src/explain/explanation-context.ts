// A finished plan with the lookups that its explanations need.
import { openAfter, singleTaskBounds, type SingleTaskBounds } from '../bounds/single-task.ts'
import type { Compiled } from '../problem/compile.ts'
import { firstAfter, subtract, union } from '../problem/intervals.ts'
import { createTimeFormat, formatTitle, type TimeFormat } from './format.ts'

/** A block of the calendar. */
export type Block = Compiled['problem']['blocks'][number]

/** A session of the plan. */
export type PlacedBlock = { task: number; start: number; end: number }

export type ExplanationContext = {
  compiled: Compiled
  taskBounds: SingleTaskBounds
  format: TimeFormat
  /** Per task number the pairs of its new sessions. */
  sessions: readonly ArrayLike<number>[]
  /** All new sessions in order of time. */
  blocks: readonly PlacedBlock[]
  /** Per task: minutes that are not placed. */
  rest: Int32Array
  /** Per task: the end of its last block, kept or new; `NO_END` without any. */
  end: Int32Array
  /** Nothing is late, overdue or left over. */
  isAllInTime: boolean
  /** The blocks that the run does not cancel. */
  fixed: readonly Block[]
  /** Per task: its blocks of the previous plan, in order of start. */
  previous: ReadonlyMap<number, readonly Block[]>
  /** The time in which the task could lie and that no session takes. */
  gaps: (j: number) => Int32Array
  /** Whether a block takes time from `from` on in which the task could lie. */
  takesRoom: (j: number, block: number, from: number) => boolean
  /** Used by the search for tasks in front: the last mark given out, and the mark of each task. */
  marks: { last: number; of: Int32Array }
  /** The minute as text, such as `Tue 13:55`. */
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
    isAllInTime: tasks.every(
      ({ dueAt }, j) =>
        !rest[j] && end[j]! <= compiled.due[j]! && (dueAt === null || dueAt >= problem.now),
    ),
    ...sortBlocks(compiled),
    gaps(j) {
      const room = taskBounds.room[j]!
      const left = gaps.get(room) ?? subtract(room, taken)
      gaps.set(room, left)
      return left
    },
    takesRoom: roomTaker(compiled, taskBounds, blocks),
    marks: { last: 0, of: new Int32Array(tasks.length) },
    when: (minute) => format.time(t0 + minute * 60_000),
    dueText: (j) => format.time(tasks[j]!.dueAt!),
    title: (j) => (titles[j] ??= formatTitle(tasks[j]!.title)),
  }
}

/** The blocks that the run cancels are those of the previous plan, and those of closed tasks. */
function sortBlocks({ problem, tasks, cancel }: Compiled) {
  const isCancelled = new Set(cancel)
  const number = new Map(tasks.map(({ id }, j) => [id, j]))
  const inOrder = problem.blocks.toSorted(
    (a, b) => a.startAt - b.startAt || a.endAt - b.endAt || (a.id < b.id ? -1 : 1),
  )
  const fixed: Block[] = []
  const previous = new Map<number, Block[]>()
  for (const block of inOrder) {
    const j = number.get(block.taskId ?? '')
    if (!isCancelled.has(block.id)) fixed.push(block)
    else if (j !== undefined) previous.set(j, [...(previous.get(j) ?? []), block])
  }
  return { fixed, previous }
}

/** Returns `takesRoom`. Many tasks share a window set, so the answers for all blocks are cached per set. */
function roomTaker(
  { classes, classOf, guards }: Compiled,
  { room }: SingleTaskBounds,
  blocks: readonly PlacedBlock[],
) {
  const taking = classes.map((): Uint8Array | undefined => undefined)
  return (j: number, block: number, from: number) => {
    const { start, end } = blocks[block]!
    if (start < from || guards[j]!.length)
      return openAfter(room[j]!, Math.max(start, from), end) > 0
    const number = classOf[j]!
    taking[number] ??= Uint8Array.from(blocks, (one) =>
      overlaps(classes[number]!.free, one.start, one.end) ? 1 : 0,
    )
    return taking[number][block] === 1
  }
}

function overlaps(pairs: Int32Array, start: number, end: number) {
  const i = firstAfter(pairs, start)
  return i < pairs.length && pairs[i]! < end
}

/** Whether all of the task's work is placed and ends by the due date, if there is one. */
export const inTime = ({ compiled, rest, end }: ExplanationContext, j: number) =>
  !rest[j] && end[j]! <= compiled.due[j]!

export function isOverdue({ compiled }: ExplanationContext, j: number) {
  const { dueAt } = compiled.tasks[j]!
  return dueAt !== null && dueAt < compiled.problem.now
}
