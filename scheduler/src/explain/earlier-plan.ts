// What happened to the blocks of the previous plan: kept with their original reason, or moved and why.
import { firstAfter } from '../problem/intervals.ts'
import type { Block, ExplanationContext, PlacedBlock } from './explanation-context.ts'
import { firstBlock } from './no-alternative.ts'
import { formatTitle } from './format.ts'
import { timeReader } from './read-times.ts'
import type { Why } from './why-there.ts'
import { releaseOf } from './why-there.ts'

export type Origin = { block: Block; isKept: boolean }

/** Per block: the block of the previous plan that it continues. Blocks that are not at the same time are
 *  matched in order of time within their task. */
export function findOrigins({ blocks, previous, compiled }: ExplanationContext) {
  const origins: (Origin | undefined)[] = blocks.map(() => undefined)
  if (!previous.size) return origins
  const { t0 } = compiled
  const left = new Map<number, Block[]>()
  for (const [j, before] of previous) left.set(j, [...before])
  for (const [i, { task, start, end }] of blocks.entries()) {
    const before = left.get(task) ?? []
    const at = before.findIndex(
      ({ startAt, endAt }) => startAt === t0 + start * 60_000 && endAt === t0 + end * 60_000,
    )
    if (at < 0) continue
    origins[i] = { block: before[at]!, isKept: true }
    before.splice(at, 1)
  }
  for (const [i, { task }] of blocks.entries()) {
    if (origins[i]) continue
    const block = left.get(task)?.shift()
    if (block) origins[i] = { block, isKept: false }
  }
  return origins
}

/** Matches a sentence. A full stop within a quoted title does not end it. */
const SENTENCE = /(?:“[^”]*”|\.(?! )|[^.“])+\./g
const UNCHANGED = /^Unchanged since (.+)\.$/
const PART = /^Part \d+ of \d+[,;] /
const MOVED = /^[Mm]oved from .+?: /
const AFTER_ONE = /^[Aa]fter “[^”]*”, which [^;]*\.$/
const LESS = /which matters? less/
const AFTER_SEVERAL = /^(\d+) tasks (?:that matter as much )?come first/

/**
 * Returns a function that gives, for a kept block, a sentence that says since when it has been there,
 * and its original reason, or null if the new plan contradicts it. `why` is the reason in the new plan.
 */
export function createMemory(context: ExplanationContext) {
  const { compiled, format } = context
  const reader = timeReader(compiled.timezone, format)
  const isLater = laterTasks(context)

  function firstReason(sentence: string, { start }: PlacedBlock, why: Why) {
    if (why.mustBeSaid || LESS.test(sentence)) return null
    if (MOVED.test(sentence)) return sentence
    // Tasks in front may have been done since, but there must not be more of them than the sentence says.
    const several = AFTER_SEVERAL.exec(sentence)
    const most = several ? Number(several[1]) : AFTER_ONE.test(sentence) ? 0 : -1
    if (why.count > most) return null
    const names = sentence.match(/“[^”]*”/g) ?? []
    return names.some((name) => isLater(name, start)) ? null : sentence
  }

  return ({ explanation, plannedAt }: Block, block: PlacedBlock, why: Why) => {
    if (!explanation || plannedAt === undefined) return { since: '', reason: null }
    const [first = '', second = ''] = explanation.match(SENTENCE) ?? []
    const known = UNCHANGED.exec(first)?.[1]
    const since = (known && reader.read(known, plannedAt)) || plannedAt
    const sentence = (known ? second : first).trim().replace(PART, '')
    return {
      since: `Unchanged since ${format.time(since)}. `,
      reason: firstReason(reader.rewrite(sentence, plannedAt), block, why),
    }
  }
}

/** Returns a function that tells whether a task with the title is planned, and only from the minute on. */
function laterTasks({ compiled, sessions, title }: ExplanationContext) {
  let first: Map<string, number> | undefined
  return (name: string, minute: number) => {
    if (!first) {
      first = new Map()
      for (const j of compiled.tasks.keys()) {
        const start = sessions[j]![0]
        if (start !== undefined) {
          first.set(title(j), Math.min(first.get(title(j)) ?? Infinity, start))
        }
      }
    }
    return (first.get(name) ?? -Infinity) >= minute
  }
}

/** `moved from Wed 09:45` and `your 10:00 appointment needs its time`; the cause is null if unknown. */
export function movedFrom(context: ExplanationContext, { startAt, endAt }: Block, j: number) {
  const { t0 } = context.compiled
  const start = (startAt - t0) / 60_000
  const end = (endAt - t0) / 60_000
  const cause =
    blockedByFixed(context, startAt, endAt) ??
    whyForbidden(context, j, start, end) ??
    whyTaken(context, j, start, end)
  return { text: `moved from ${context.format.time(startAt)}`, cause }
}

function blockedByFixed(context: ExplanationContext, startAt: number, endAt: number) {
  const { fixed, compiled, format } = context
  const block = fixed.find((one) => one.startAt < endAt && one.endAt > startAt)
  if (!block) return null
  const clock = format.daysBetween(block.startAt, startAt)
    ? format.time(block.startAt)
    : format.clock(block.startAt)
  if (block.taskId === null) return `your ${clock} appointment needs its time`
  const owner = compiled.problem.tasks.find(({ id }) => id === block.taskId)
  return owner ? `${formatTitle(owner.title)}, fixed at ${clock}, needs its time` : null
}

/** Why the hours, the earliest start or a predecessor no longer allow the old place; null if they do. */
function whyForbidden(context: ExplanationContext, j: number, start: number, end: number) {
  const { compiled, format, title, when } = context
  const { windows } = compiled.classes[compiled.classOf[j]!]!
  const window = firstAfter(windows, start)
  if (windows[window] === undefined || windows[window] > start || windows[window + 1]! < end) {
    return 'that is outside your hours now'
  }
  const { release, waitsFor } = releaseOf(context, j)
  if (release <= start) return null
  if (waitsFor >= 0) return `${title(waitsFor)} is not done before ${when(release)}`
  const { startAfter } = compiled.tasks[j]!
  return startAfter !== null && startAfter > compiled.t0 + start * 60_000
    ? `you allow it only from ${format.time(startAfter)}`
    : null
}

function whyTaken(context: ExplanationContext, j: number, start: number, end: number) {
  const { blocks, compiled, title, dueText } = context
  const { due, weight, tasks } = compiled
  let taker = -1
  for (let at = firstBlock(blocks, start); at < blocks.length; at++) {
    const block = blocks[at]!
    if (block.start >= end) break
    if (block.task === j) continue
    if (taker < 0) taker = block.task
    if (due[block.task]! >= due[j]! && weight[block.task]! <= weight[j]!) continue
    const facts: string[] = []
    if (weight[block.task]! > weight[j]!) facts.push(tasks[block.task]!.priority)
    if (due[block.task]! < due[j]!) {
      facts.push(due[block.task]! < 0 ? 'overdue' : `due ${dueText(block.task)}`)
    }
    return `${title(block.task)} (${facts.join(', ')}) needs its time`
  }
  return taker < 0 ? null : `${title(taker)} is there now`
}
