// Judges the sentence that says why a block is where it is. Each kind of sentence is recognized by its
// wording and compared with the facts.
import type { Task } from '../src/model.ts'
import {
  earliestStart,
  gapsBefore,
  isCause,
  isLesser,
  isSooner,
  type JudgedBlock,
  legalPiece,
  openMinutes,
  tasksInFront,
  type Timeline,
  weightOf,
} from './judge-timeline.ts'

export type Finding = { is: 'false' | 'misleading'; what: string }
type Judge = (timeline: Timeline, block: JudgedBlock, match: RegExpExecArray) => string[]

const USEFUL = 15
const QUOTED = '“([^”]*)”'
const NAMES = `${QUOTED}(?:, ${QUOTED})*(?:,? and (?:${QUOTED}|\\d+ more))?`
const TIME = '[A-Z][a-z]{2}(?: \\d{1,2} [A-Z][a-z]{2}(?: \\d{4})?)? \\d\\d:\\d\\d'

/** The known kinds of sentences, each matched in full. Each function returns what is not true. */
const KINDS: [RegExp, Judge][] = [
  [
    /^(?:This is )?the earliest time in your hours$/i,
    (timeline, block) => earliest(timeline, block, 0),
  ],
  [/^the earliest time, (.+)$/i, (timeline, block, [, what]) => afterFixed(timeline, block, what!)],
  [
    new RegExp(
      `^(as early as you allow: from|the first time in your hours from) (${TIME})(?:, as early as you allow)?$`,
      'i',
    ),
    (timeline, block, [, words, time]) => [
      ...unless(timeline.said.time(block.task.startAfter ?? 0) === time, 'start after'),
      ...unless(block.part === 1, 'a later part'),
      ...unless(
        /first/.test(words!) || timeline.up(block.task.startAfter!) === block.start,
        'not at once',
      ),
      ...earliest(timeline, block, timeline.up(block.task.startAfter ?? 0)),
    ],
  ],
  [
    new RegExp(
      `^(?:starts )?once ${QUOTED} is done \\((${TIME})\\)(, the next time in your hours)?$`,
      'i',
    ),
    (timeline, block, [, name, time, later]) => {
      const ends = block.facts.waitsFor.map((one) => ({ one, end: timeline.endOf(one) }))
      const last = Math.max(...ends.map(({ end }) => end))
      return [
        ...unless(
          ends.some(({ one, end }) => isNamed(one.task, name!) && end === last),
          'waits for',
        ),
        ...unless(timeline.said.time(timeline.instant(timeline.up(last))) === time, 'its end'),
        ...unless(later !== undefined || timeline.up(last) === block.start, 'not at once'),
        ...earliest(timeline, block, timeline.up(last)),
      ]
    },
  ],
  [
    /^after a (\d+)-(minute|hour) pause$/i,
    (_, block, [, count, unit]) => {
      const minutes = Number(count) * (unit === 'hour' ? 60 : 1)
      return unless(
        pauseBefore(block) === minutes && minutes === block.task.cooldownMinutes,
        'pause',
      )
    },
  ],
  [/^right after the part before$/i, (_, block) => unless(pauseBefore(block) === 0, 'pause')],
  [
    /^the next time in your hours$/i,
    (timeline, block) => [
      ...unless(block.part > 1, 'not a later part'),
      ...earliest(timeline, block, block.ready),
    ],
  ],
  [
    new RegExp(
      `^after ${QUOTED}, which ((?!matters less)[^,;]+?)(?:, and (.+), which matters? less)?$`,
      'i',
    ),
    afterOne,
  ],
  [
    new RegExp(
      `^(\\d+) tasks( that matter as much)? come first(?: because they (.+?))?(?:: (${NAMES}))?(?:; so do(?:es)? (.+), which matters? less)?$`,
    ),
    afterSeveral,
  ],
  [
    new RegExp(
      `^after (.+), which matters? less(?: but fits? here without making (anything|this) late)?$`,
      'i',
    ),
    afterLesser,
  ],
  [
    /^(?:(\d+) shorter tasks come|a shorter task comes) first(?:, (\d+|all) of which matters? less)?$/i,
    afterShorter,
  ],
  [/^earlier gaps are too short for (?:a session of )?(.+?)( in one piece)?$/i, tooShort],
  [
    new RegExp(
      `^it could begin (${TIME}), but only (?:with a session of (.+)|in pieces of under (\\d+) min)$`,
      'i',
    ),
    couldBegin,
  ],
  [new RegExp(`^(${TIME}) is free too(?:; (.+))?$`), freeToo],
  [
    /^(?:Planned )?(?:at|near (\d\d:\d\d),) the time you prefer$/i,
    ({ said }, { task, planned }, [, near]) => {
      const wanted = task.recurring?.preferredTime ?? ''
      const clock = said.clock(planned.startAt)
      if (near === undefined) return unless(clock === wanted, 'another time')
      return unless(
        near === wanted && Math.abs(dayMinute(clock) - dayMinute(wanted)) <= 90,
        'not near',
      )
    },
  ],
  [
    /^(?:This is )?the first time on a day without another one$/i,
    (timeline, block) => [
      ...unless(Boolean(block.task.recurring?.series), 'not a habit'),
      ...earliest(timeline, block, block.ready),
    ],
  ],
]

/** What is wrong with the sentence, without its part number and its last full stop. */
export const judgeWhy = (timeline: Timeline, block: JudgedBlock, sentence: string): Finding[] => {
  const both = /^(.+); (it could begin .+)$/.exec(sentence)
  return [
    ...(both ? both.slice(1) : [sentence]).flatMap((clause) =>
      judgeClause(timeline, block, clause),
    ),
    ...judgeSilence(timeline, block, sentence),
  ]
}

const judgeClause = (timeline: Timeline, block: JudgedBlock, clause: string): Finding[] => {
  for (const [pattern, judge] of KINDS) {
    const match = pattern.exec(clause)
    if (!match) continue
    return [
      ...judge(timeline, block, match).map((what) => finding('false', what)),
      ...judgeNames(timeline, block, clause),
      ...judgeBetween(timeline, block, clause),
    ]
  }
  return [finding('false', 'not a known sentence')]
}

export const finding = (is: Finding['is'], what: string): Finding => ({ is, what })
const unless = (isTrue: boolean, what: string) => (isTrue ? [] : [what])

const titleOf = (task: Task) => {
  const line = task.title.replaceAll('“', '‘').replaceAll('”', '’').replace(/\s+/g, ' ').trim()
  return line || 'untitled'
}
export const isNamed = (task: Task, name: string): boolean => {
  const title = titleOf(task)
  return title === name || (name.endsWith('…') && title.startsWith(name.slice(0, -1).trimEnd()))
}
export const namesIn = (text: string): string[] =>
  Array.from(text.matchAll(/“([^”]*)”/g), (match) => match[1]!)

/** Judges what a reason leaves unsaid: unless it says otherwise, the block could not be earlier, in part
 *  or whole, and no less important work prevents that. */
export const judgeSilence = (timeline: Timeline, block: JudgedBlock, text: string): Finding[] => {
  // The user prefers this time, so an earlier place is not wanted.
  if (text.endsWith('the time you prefer')) return []
  const findings: Finding[] = []
  if (!/is free too/.test(text) && earliestStart(timeline, block) < block.start) {
    findings.push(finding('misleading', 'an earlier place is free'))
  }
  const isHidden = tasksInFront(timeline, block).some(
    (task) => isLesser(task, block.task) && isCause(timeline, block, task),
  )
  if (isHidden && !/matters? less|is free too/.test(text)) {
    findings.push(finding('misleading', 'less important work is in front'))
  }
  const pieces = gapsBefore(timeline, block).map(([from, until]) =>
    legalPiece(block, until - from, USEFUL),
  )
  if (pieces.some((piece) => piece > 0) && !/could begin|is free too/.test(text)) {
    findings.push(finding('misleading', 'a shorter session would fit earlier'))
  }
  return findings
}

/** Checks that no unnamed task lies between the block and the task that it is said to follow. */
const judgeBetween = (timeline: Timeline, block: JudgedBlock, text: string): Finding[] => {
  const name = /^after “([^”]*)”, which/i.exec(text)?.[1]
  if (name === undefined || / and others, /.test(text)) return []
  const open = timeline.openOf(block.task)
  const names = namesIn(text)
  for (let minute = block.start - 1; minute >= block.ready; minute--) {
    const task = open[minute] ? timeline.taskAt(minute) : undefined
    if (!task) continue
    if (isNamed(task, name)) return []
    if (!names.some((one) => isNamed(task, one))) {
      return [finding('misleading', 'another task lies between')]
    }
  }
  return []
}

/** Checks that each named task prevents the block from being earlier. */
const judgeNames = (timeline: Timeline, block: JudgedBlock, text: string): Finding[] => {
  if (!/^after “|come first|which matters? less/i.test(text)) return []
  const front = tasksInFront(timeline, block)
  return namesIn(text).flatMap((name) => {
    const tasks = front.filter((task) => isNamed(task, name))
    if (tasks.length === 0) return [finding('false', 'a named task is not in front')]
    return tasks.some((task) => isCause(timeline, block, task))
      ? []
      : [finding('misleading', 'a named task is not a cause')]
  })
}

function earliest(timeline: Timeline, block: JudgedBlock, from: number) {
  return unless(
    openMinutes(timeline.openOf(block.task), from, block.start) === 0,
    'open time before',
  )
}

function afterFixed(timeline: Timeline, block: JudgedBlock, what: string) {
  const ending = timeline.facts.kept.filter((one) => timeline.up(one.endAt) === block.start)
  const clocks = (own: boolean) =>
    ending
      .filter((one) => (one.taskId === block.task.id) === own)
      .map((one) => timeline.said.clock(one.startAt))
  const open = earliest(timeline, block, 0)
  const appointment = /^right after your (\d\d:\d\d) appointment$/.exec(what)
  if (appointment) {
    const found = ending.filter((one) => one.taskId === null)
    const said = found.map((one) => timeline.said.clock(one.startAt))
    return [...open, ...unless(said.includes(appointment[1]!), 'appointment')]
  }
  const own = /^right after its own (\d\d:\d\d) block$/.exec(what)
  if (own) return [...open, ...unless(clocks(true).includes(own[1]!), 'own block')]
  const other = /^right after “([^”]*)”, which (?:is fixed at (\d\d:\d\d)|has begun)$/.exec(what)
  if (other) {
    const named = ending.filter((one) => {
      const task = timeline.facts.tasks.get(one.taskId ?? '')?.task
      const isSaid = other[2]
        ? timeline.said.clock(one.startAt) === other[2]
        : one.startAt <= timeline.problem.now
      return task !== undefined && isNamed(task, other[1]!) && isSaid
    })
    return [...open, ...unless(named.length > 0, 'fixed block')]
  }
  const pause = /^after a (\d+)-(minute|hour) pause$/.exec(what)
  const minutes = Number(pause?.[1]) * (pause?.[2] === 'hour' ? 60 : 1)
  const isPause = block.facts.kept.some((one) => timeline.up(one.endAt) + minutes === block.start)
  return [...open, ...unless(isPause && minutes === block.task.cooldownMinutes, 'pause')]
}

const pauseBefore = ({ facts, part, planned }: JudgedBlock) =>
  part > 1 ? (planned.startAt - facts.planned[part - 2]!.endAt) / 60_000 : -1

function relationIsTrue(timeline: Timeline, one: Task, block: JudgedBlock, words: string) {
  const { task } = block
  const overdue = (any: Task) => any.dueAt !== null && any.dueAt < timeline.problem.now
  return words.split(' and ').every((claim) => {
    if (claim === 'matters more') return weightOf(one) > weightOf(task)
    if (claim === 'matters as much') return weightOf(one) === weightOf(task) && !isSooner(one, task)
    if (claim === 'is overdue') return overdue(one) && isSooner(one, task)
    if (claim === 'has been overdue for longer') return overdue(one) && isSooner(one, task)
    const due = /^is due (?:sooner \((.+)\)|(.+))$/.exec(claim)
    if (!due || one.dueAt === null || !isSooner(one, task)) return false
    if (due[2] && task.dueAt !== null) return false
    return timeline.said.time(one.dueAt) === (due[1] ?? due[2])
  })
}

function afterOne(timeline: Timeline, block: JudgedBlock, [, name, words, less]: RegExpExecArray) {
  const front = tasksInFront(timeline, block)
  const named = front.filter((task) => isNamed(task, name!))
  const pressing = front.filter((task) => !isLesser(task, block.task))
  const lesser = namesIn(less ?? '')
  return [
    ...unless(
      named.some((task) => relationIsTrue(timeline, task, block, words!)),
      'relation',
    ),
    ...unless(pressing.length === 1, `${pressing.length} tasks are in front`),
    ...unless(
      lesser.every((one) => isLesserNamed(front, block, one)),
      'matters less',
    ),
  ]
}

const isLesserNamed = (front: Task[], block: JudgedBlock, name: string) =>
  front.some((task) => isNamed(task, name) && isLesser(task, block.task))

function afterSeveral(timeline: Timeline, block: JudgedBlock, match: RegExpExecArray) {
  const [, count, asMuch, because] = match
  const [names, less] = [match[4] ?? '', match.at(-1) ?? '']
  const front = tasksInFront(timeline, block)
  const pressing = front.filter((task) => !isLesser(task, block.task))
  const isTrue: Record<string, (task: Task) => boolean> = {
    'are due sooner': (task) => isSooner(task, block.task),
    'have due dates': (task) => isSooner(task, block.task) && block.task.dueAt === null,
    'matter more': (task) => weightOf(task) > weightOf(block.task),
    'matter as much or more': (task) => weightOf(task) >= weightOf(block.task),
    'matter as much': (task) => weightOf(task) === weightOf(block.task),
  }
  const claims = asMuch ? ['matter as much'] : because!.split(/ or (?=matter|are|have)/)
  const named = namesIn(names)
  const more = / and (\d+) more$/.exec(names)
  return [
    ...unless(pressing.length === Number(count), `${pressing.length} tasks are in front`),
    ...unless(
      pressing.every((task) => claims.some((claim) => isTrue[claim]?.(task))),
      'because',
    ),
    ...unless(
      !named.length || named.length + Number(more?.[1] ?? 0) === Number(count),
      'the number of names',
    ),
    ...unless(
      named.every((name) => pressing.some((task) => isNamed(task, name))),
      'a name',
    ),
    ...unless(
      namesIn(less).every((name) => isLesserNamed(front, block, name)),
      'matters less',
    ),
  ]
}

function afterLesser(timeline: Timeline, block: JudgedBlock, [, names, late]: RegExpExecArray) {
  const front = tasksInFront(timeline, block)
  const { atRisk, unscheduled } = timeline.plan
  const isLate = [...atRisk, ...unscheduled].some(({ taskId }) => taskId === block.task.id)
  return [
    ...unless(
      namesIn(names!).every((name) => isLesserNamed(front, block, name)),
      'matters less',
    ),
    ...unless(late !== 'anything' || atRisk.length + unscheduled.length === 0, 'something is late'),
    ...unless(late !== 'this' || !isLate, 'it is late'),
  ]
}

function afterShorter(timeline: Timeline, block: JudgedBlock, match: RegExpExecArray) {
  const front = tasksInFront(timeline, block)
  const less = front.filter((task) => isLesser(task, block.task)).length
  const count = Number(match[1] ?? 1)
  const said = match[2] === 'all' ? count : Number(match[2] ?? 0)
  return [
    ...unless(front.length === count, `${front.length} tasks are in front`),
    ...unless(count === 1 || said === less, `${less} matter less`),
    ...unless(!front.some((task) => isCause(timeline, block, task)), 'one of them is as long'),
  ]
}

function tooShort(timeline: Timeline, block: JudgedBlock, [, length, whole]: RegExpExecArray) {
  const gaps = gapsBefore(timeline, block).map(([from, until]) => until - from)
  const longest = Math.max(0, ...gaps)
  const piece = legalPiece(block, longest, USEFUL)
  return [
    ...unless(minutesOf(length!) === block.end - block.start, 'its length'),
    ...unless(longest < block.end - block.start, 'a gap is long enough'),
    ...unless(piece === 0, 'a shorter session would fit'),
    ...unless((whole !== undefined) === !block.task.autoSplit, 'one piece'),
  ]
}

function couldBegin(timeline: Timeline, block: JudgedBlock, match: RegExpExecArray) {
  const [, time, session, under] = match
  const gap = gapsBefore(timeline, block).find(
    ([from]) => timeline.said.time(timeline.instant(from)) === time,
  )
  const room = gap ? gap[1] - gap[0] : 0
  const pieces = gapsBefore(timeline, block).map(([from, until]) =>
    legalPiece(block, until - from, 1),
  )
  if (under) {
    const isShort = Math.max(0, ...pieces) < Number(under)
    return [
      ...unless(legalPiece(block, room, 1) > 0, 'no piece'),
      ...unless(isShort, 'not shorter'),
    ]
  }
  const minutes = minutesOf(session!)
  return unless(room >= minutes && legalPiece(block, room, minutes) === minutes, 'no such piece')
}

function freeToo(timeline: Timeline, block: JudgedBlock, [, time, why]: RegExpExecArray) {
  const start = earliestStart(timeline, block)
  const { planned, task } = block
  const isKept = timeline.previous.some(
    (one) =>
      one.taskId === task.id && one.startAt === planned.startAt && one.endAt === planned.endAt,
  )
  const isLate = timeline.plan.atRisk.some(({ taskId }) => taskId === task.id)
  const isTrue =
    why === undefined ||
    (why === 'it stays here to keep your plan stable' && isKept) ||
    (why === 'it has no due date' && task.dueAt === null) ||
    (why === 'it is in time here as well' && task.dueAt !== null && !isLate)
  return [
    ...unless(start < block.start, 'nothing is free'),
    ...unless(timeline.said.time(timeline.instant(start)) === time, 'another time'),
    ...unless(isTrue, 'why it stays'),
  ]
}

const dayMinute = (clock: string) => 60 * Number(clock.slice(0, 2)) + Number(clock.slice(3))

export const minutesOf = (text: string): number => {
  const match = /^(?:(\d+) h)? ?(?:(\d+) min)?$/.exec(text)
  return match ? 60 * Number(match[1] ?? 0) + Number(match[2] ?? 0) : NaN
}
