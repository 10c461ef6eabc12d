// An independent judge of what a plan says. It reads the problem, the plan and the texts, shares no code
// with the planner, and calls a text false if a statement in it is not true, and misleading if it is
// true but hides an earlier place, less important work in front, or names a task that is no cause.
import type { Plan, Problem, Task } from '../src/model.ts'
import { hasOtherPlace, type JudgedBlock, type Timeline, timelineOf } from './judge-timeline.ts'
import {
  type Finding,
  finding,
  isNamed,
  judgeSilence,
  judgeWhy,
  minutesOf,
  namesIn,
} from './judge-whys.ts'

export type Verdict = { text: string; findings: Finding[] }

/** By task and time: when the block was first planned, and the last reason for it. */
export type Memory = Map<string, { since: number; reason: string }>

export const keyOf = ({ taskId, startAt, endAt }: Plan['create'][number]): string =>
  `${taskId} ${startAt} ${endAt}`

/** One verdict per text. Updates the memory with the plan. */
export const judgePlan = (problem: Problem, plan: Plan, memory: Memory): Verdict[] => {
  const timeline = timelineOf(problem, plan)
  const verdicts = timeline.blocks.map((block) => judgeBlock(timeline, block, memory))
  const next = timeline.blocks.map((block): [string, { since: number; reason: string }] => {
    const key = keyOf(block.planned)
    const before = isInPlanBefore(timeline, block) ? memory.get(key) : undefined
    const reason = plainReason(sentencesOf(block.planned.explanation).why)
    return [key, { since: before?.since ?? problem.now, reason }]
  })
  memory.clear()
  for (const [key, entry] of next) memory.set(key, entry)
  return [
    ...verdicts,
    ...plan.atRisk.map(({ taskId, text }) => judgeReason(timeline, taskId, text)),
    ...plan.unscheduled.map(({ taskId, text }) => judgeReason(timeline, taskId, text)),
  ]
}

const SENTENCE = /(?:“[^”]*”|[.?](?! )|[^.?“])+[.?]/g
const STANDING =
  /^(?:Done |Late: |Overdue since |(?:Its )?[\dhmin ]+(?: of [\dhmin ]+)? do(?:es)? not fit)/

const sentencesOf = (text: string) => {
  const all = Array.from(text.matchAll(SENTENCE), ([sentence]) => sentence.trim())
  const since = /^Unchanged since (.+)\.$/.exec(all[0] ?? '')?.[1]
  const rest = since === undefined ? all : all.slice(1)
  const standing = STANDING.test(rest.at(-1) ?? '') ? rest.at(-1)! : ''
  return {
    since,
    why: rest.slice(0, standing ? -1 : undefined),
    standing,
    isWhole: all.join(' ') === text,
  }
}

/** The reason without its part label, opening words, dates and capitals, which may change while it stays. */
const plainReason = (why: string[]) =>
  (why[0] ?? '')
    .replace(/^Part \d+ of \d+[,;] /, '')
    .replace(/^(?:This is|Starts|Planned) /, '')
    .replace(/([A-Z][a-z]{2}) \d{1,2} [A-Z][a-z]{2}(?: \d{4})?(?= \d\d:\d\d)/g, '$1')
    .toLowerCase()

const isInPlanBefore = (timeline: Timeline, { planned, task }: JudgedBlock) =>
  timeline.previous.some(
    (one) =>
      one.taskId === task.id && one.startAt === planned.startAt && one.endAt === planned.endAt,
  )

const judgeBlock = (timeline: Timeline, block: JudgedBlock, memory: Memory): Verdict => {
  const text = block.planned.explanation
  const { since, why, standing, isWhole } = sentencesOf(text)
  const findings: Finding[] = isWhole ? [] : [finding('false', 'not in sentences')]
  const first = memory.get(keyOf(block.planned))
  const isKept = isInPlanBefore(timeline, block) && first !== undefined
  if (isKept !== (since !== undefined)) findings.push(finding('false', 'unchanged'))
  if (isKept && since !== timeline.said.time(first.since)) findings.push(finding('false', 'since'))
  const reasons = judgeReasons(timeline, block, why)
  // A kept block may repeat its first reason, which may mention finished work but must not contradict the plan.
  const isFirst = isKept && plainReason(why) === first.reason
  findings.push(
    ...(isFirst && reasons.length > 0 ? judgeFirst(timeline, block, why.join(' ')) : reasons),
  )
  findings.push(...judgeStanding(timeline, block, standing))
  const isDefended = block.planned.defended
  if (isDefended === isMovable(timeline, block)) findings.push(finding('false', 'defended'))
  return { text, findings }
}

const isMovable = (timeline: Timeline, block: JudgedBlock) => {
  const { dueAt } = block.task
  return dueAt === null || timeline.down(dueAt) > timeline.size || hasOtherPlace(timeline, block)
}

const judgeFirst = (timeline: Timeline, block: JudgedBlock, text: string): Finding[] => {
  const planned = timeline.blocks.filter(({ task }) =>
    namesIn(text).some((name) => isNamed(task, name)),
  )
  const isMove = /moved from/i.test(text)
  const isLater =
    !isMove &&
    namesIn(text).some((name) => {
      const own = planned.filter(({ task }) => isNamed(task, name))
      return own.length > 0 && own.every(({ start }) => start >= block.end)
    })
  return [
    ...judgeSilence(timeline, block, text),
    ...(isLater ? [finding('misleading', 'a named task comes later')] : []),
  ]
}

const judgeReasons = (timeline: Timeline, block: JudgedBlock, why: string[]): Finding[] => {
  const findings: Finding[] = []
  const label = `Part ${block.part} of ${block.parts}`
  const labels = why.join(' ').match(/Part \d+ of \d+/g) ?? []
  const isLabelled = block.parts > 1 ? labels.length === 1 && labels[0] === label : !labels.length
  if (!isLabelled) findings.push(finding('false', 'part'))
  const plain = why.map((sentence) => sentence.replace(/^Part \d+ of \d+[,;] /, '').slice(0, -1))
  const moved = /^moved from (.+?)(?:: (.+))?$/i.exec(plain[0] ?? '')
  const rest = moved ? plain.slice(1) : plain
  if (moved) findings.push(...judgeMove(timeline, block, moved[1]!, moved[2]))
  if (rest.length > 1 || (rest.length === 0 && !moved?.[2]))
    findings.push(finding('false', 'no reason'))
  if (rest[0]) findings.push(...judgeWhy(timeline, block, rest[0]))
  else findings.push(...judgeSilence(timeline, block, plain.join(' ')))
  return findings
}

const judgeMove = (timeline: Timeline, block: JudgedBlock, time: string, cause?: string) => {
  const { facts, said } = timeline
  const old = timeline.previous.find(
    (one) => one.taskId === block.task.id && said.time(one.startAt) === time,
  )
  if (!old) return [finding('false', 'moved from')]
  if (cause === undefined) return []
  const overlaps = (one: { startAt: number; endAt: number }) =>
    one.startAt < old.endAt && one.endAt > old.startAt
  const fixed = facts.kept.filter(overlaps)
  const clockOf = (startAt: number) =>
    said.days(startAt, old.startAt) ? said.time(startAt) : said.clock(startAt)
  const appointment = /^your (.+) appointment needs its time$/.exec(cause)
  const other =
    /^“([^”]*)”(?:, fixed at (.+),| \((.+)\)) needs its time$|^“([^”]*)” is there now$/.exec(cause)
  const planned = timeline.blocks.filter((one) => overlaps(one.planned))
  const named = (task?: Task) => task !== undefined && isNamed(task, other?.[1] ?? other?.[4] ?? '')
  const isTrue = appointment
    ? fixed.some((one) => one.taskId === null && clockOf(one.startAt) === appointment[1])
    : other?.[2]
      ? fixed.some(
          (one) =>
            named(facts.tasks.get(one.taskId ?? '')?.task) && clockOf(one.startAt) === other[2],
        )
      : other
        ? planned.some(({ task }) => named(task) && areTrue(timeline, task, other[3]))
        : isForbidden(timeline, block, old, cause)
  return isTrue ? [] : [finding('false', `cause of the move: ${cause}`)]
}

/** Whether facts such as `urgent, due Wed 17:00` are true of the task. */
const areTrue = ({ said, problem }: Timeline, task: Task, facts = '') =>
  facts.split(', ').every((fact) => {
    if (fact === '' || fact === task.priority) return true
    if (task.dueAt === null) return false
    return fact === 'overdue' ? task.dueAt < problem.now : fact === `due ${said.time(task.dueAt)}`
  })

const isForbidden = (
  timeline: Timeline,
  { task, facts }: JudgedBlock,
  old: { startAt: number; endAt: number },
  cause: string,
) => {
  const { said } = timeline
  if (cause === 'that is outside your hours now') {
    const hours = timeline.hoursOf(task)
    const [start, end] = [timeline.down(old.startAt), timeline.down(old.endAt)]
    for (let minute = start; minute < end; minute++) if (!hours[minute]) return true
    return false
  }
  const allowed = /^you allow it only from (.+)$/.exec(cause)
  if (allowed) return task.startAfter! > old.startAt && said.time(task.startAfter!) === allowed[1]
  const waits = /^“([^”]*)” is not done before (.+)$/.exec(cause)
  return facts.waitsFor.some((other) => {
    const end = timeline.endOf(other)
    return (
      isNamed(other.task, waits?.[1] ?? '') &&
      end > old.startAt &&
      said.time(timeline.instant(timeline.up(end))) === waits![2]
    )
  })
}

/** Judges the sentence on how the task stands. Only its first part has one, if there is something to say. */
const judgeStanding = (timeline: Timeline, block: JudgedBlock, text: string): Finding[] => {
  const { task, facts, part } = block
  const isWaitedFor = [...timeline.facts.tasks.values()].some(
    (one) => one.considered && one.need > 0 && one.waitsFor.includes(facts),
  )
  const hasSome = task.dueAt !== null || facts.placed < facts.need || isWaitedFor
  if (part > 1 || !hasSome) return text ? [finding('misleading', 'says how it stands again')] : []
  if (!text) return [finding('false', 'does not say how it stands')]
  return standingIsTrue(timeline, task, text.slice(0, -1))
    ? []
    : [finding('false', 'how it stands')]
}

const NUMBERS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
]

const standingIsTrue = (timeline: Timeline, task: Task, text: string): boolean => {
  const { said, problem, facts } = timeline
  const one = facts.tasks.get(task.id)!
  const waits = /^(.*); (“[^”]*”) waits for it$/.exec(text)
  if (waits) {
    const names = namesIn(waits[2]!)
    const isWaiting = [...facts.tasks.values()].some(
      (other) => other.waitsFor.includes(one) && isNamed(other.task, names[0]!),
    )
    return isWaiting && standingIsTrue(timeline, task, waits[1]!)
  }
  const due = task.dueAt
  const isOverdue = due !== null && due < problem.now
  // Blocks that people placed may end within a minute, which then counts in full.
  const end = timeline.endOf(one)
  const endText = Number.isFinite(end) ? said.time(Math.ceil(end / 60_000) * 60_000) : ''
  const isWhole = one.placed >= one.need
  const left =
    /^(?:Overdue since (.+); )?(?:its (.+)|(.+) of (.+)) do(?:es)? not fit (?:into the next 14 days|before (.+?))(?:; it is due (.+))?$/i.exec(
      text,
    )
  if (left) {
    const [, since, all, some, of, before, dueText] = left
    const until =
      (task.recurring?.notAfter ?? Infinity) < facts.horizonEnd ? task.recurring!.notAfter : null
    const rest = one.need - one.placed
    return (
      minutesOf(all ?? some!) === rest &&
      (of ? minutesOf(of) : rest) === task.estimateMinutes &&
      (since === undefined || isOverdue) &&
      before === (until === null ? undefined : said.time(until)) &&
      [since, dueText].every((time) => time === undefined || time === said.time(due!))
    )
  }
  const overdue = /^Overdue since (.+); (planned for|under way until) (.+)$/.exec(text)
  if (overdue) {
    const next = [...one.kept, ...one.planned]
      .filter(({ endAt }) => endAt > problem.now)
      .toSorted((a, b) => a.startAt - b.startAt)[0]
    const at = overdue[2] === 'planned for' ? next?.startAt : next?.endAt
    const isBegun = one.kept.some((block) => block === next) && next!.startAt <= problem.now
    return (
      isOverdue &&
      isWhole &&
      said.time(due) === overdue[1] &&
      at !== undefined &&
      said.time(at) === overdue[3] &&
      isBegun === (overdue[2] !== 'planned for')
    )
  }
  if (isOverdue || !isWhole) return false
  const late = /^Late: done (.+), due (.+)$/.exec(text)
  if (late) return due !== null && end > due && endText === late[1] && said.time(due) === late[2]
  const done = /^Done ([^,;]+)(?:, (.+))?$/.exec(text)
  if (!done || endText !== done[1]) return false
  if (due === null) return done[2] === undefined
  return end <= due && done[2] !== undefined && dueIsTrue(timeline, task, end, done[2])
}

const dueIsTrue = (timeline: Timeline, task: Task, end: number, text: string): boolean => {
  const { said, problem } = timeline
  const due = task.dueAt!
  const days = said.days(end, due)
  const tight = /^due (.+): there is no other time left before that$/.exec(text)
  const at = days === 0 ? said.clock(due) : said.time(due)
  if (tight) {
    const own = timeline.blocks.filter((block) => block.task === task)
    return (
      tight[1] === at &&
      own.every((block) => !hasOtherPlace(timeline, block)) &&
      due - problem.now <= 3.01 * 86_400_000
    )
  }
  if (days === 0) return text === `due ${at}`
  const before = /^(the day|(\w+) days) before it is due$/.exec(text)
  return (
    before !== null &&
    days ===
      (before[1] === 'the day'
        ? 1
        : NUMBERS.includes(before[2]!)
          ? NUMBERS.indexOf(before[2]!)
          : Number(before[2]))
  )
}

/** Judges the leading fact in the reason of a task at risk or left over. Another test checks the proofs. */
const judgeReason = (timeline: Timeline, taskId: string, text: string): Verdict => {
  const one = timeline.facts.tasks.get(taskId)!
  const { task } = one
  const over =
    /^Its time \((.+)–(.+)\) is over and it is not ticked off\. Is it done, or does it need more time\?$/.exec(
      text,
    )
  if (over) {
    const last = [...one.kept, ...one.planned].toSorted((a, b) => a.endAt - b.endAt).at(-1)
    const isOver =
      last !== undefined &&
      last.endAt <= timeline.problem.now &&
      timeline.said.time(last.startAt) === over[1]
    return { text, findings: isOver ? [] : [finding('false', 'its time is over')] }
  }
  const because = /^(.+?) because (.+?)\. There may be a better order; none was found\.$/.exec(text)
  const [first = ''] = Array.from(text.matchAll(SENTENCE), ([sentence]) => sentence.trim())
  const fact = because ? because[1]! : first.slice(0, -1)
  const isNothing =
    fact.endsWith('; there is nothing left to plan') && one.need === 0 && !one.kept.length
  const isTrue = isNothing || standingIsTrue(timeline, task, fact)
  return {
    text,
    findings: [
      ...(isTrue ? [] : [finding('false', 'how it stands')]),
      ...(because ? judgeBecause(timeline, task, because[2]!) : []),
    ],
  }
}

const judgeBecause = (timeline: Timeline, task: Task, text: string): Finding[] => {
  const weights = { none: 1, low: 2, medium: 4, high: 8, urgent: 16 }
  const weight = (one: Task) => weights[one.priority]
  const named = namesIn(text).map((name) =>
    timeline.blocks.map((block) => block.task).filter((one) => isNamed(one, name)),
  )
  const all = (test: (one: Task) => boolean) => named.every((tasks) => tasks.some(test))
  const fills =
    /^(more important work|work that matters as much or more) fills (?:all 14 days|the time before (.+))$/.exec(
      text,
    )
  if (fills) {
    const open = timeline.openOf(task)
    const until = fills[2] === undefined ? timeline.size : timeline.down(task.dueAt!)
    for (let minute = 0; minute < until; minute++) {
      const other = open[minute] ? timeline.taskAt(minute) : undefined
      if (!other) continue
      if (
        weight(other) < weight(task) ||
        (fills[1] === 'more important work' && weight(other) === weight(task))
      ) {
        return [finding('false', 'less important work is there')]
      }
    }
    return []
  }
  const isTrue = / matters? more$/.test(text)
    ? all((one) => weight(one) > weight(task))
    : / (?:is|are) due sooner$/.test(text)
      ? all((one) => one.dueAt !== null && one.dueAt < (task.dueAt ?? Infinity))
      : /, which matters? as much, comes? first$/.test(text)
        ? all((one) => weight(one) === weight(task))
        : / comes? first$/.test(text) && all(() => true)
  return isTrue ? [] : [finding('false', `because ${text}`)]
}
