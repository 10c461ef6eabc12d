// A person for four weeks: the tasks and meetings that arrive, and how long the work takes in fact.
import type { Block, Priority, Task, Window } from '../../src/model.ts'
import { type Dice, newDice } from '../dice.ts'
import { range } from '../instances.ts'

export const MINUTE = 60_000
export const DAYS = 28
/** January has no clock change in any of the zones. */
const FIRST_DAY = Temporal.PlainDate.from('2026-01-12')
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Sydney', 'Asia/Kolkata']

export type Arrival = {
  at: number
  task: Task
  /** How long the work takes in fact. */
  actualMinutes: number
}

export type Meeting = { knownAt: number; block: Block }

export type Person = {
  name: string
  timezone: string
  /** Midnights of the four weeks, and of the day after them. */
  midnights: number[]
  /** In order of arrival. */
  arrivals: Arrival[]
  meetings: Meeting[]
  /** When the person drags a block to another time. */
  drags: number[]
}

/** How people differ: when they work on what, and how many of their hours are taken by meetings. */
type Kind = {
  hours: readonly (readonly [windows: Window[], share: number])[]
  meetingsADay: number
}

const workdays = [1, 2, 3, 4, 5]
const office: Window[] = [{ day: workdays, start: '09:00', end: '17:30' }]
const mornings: Window[] = [{ day: workdays, start: '08:30', end: '15:00' }]
const evenings: Window[] = [
  { day: [1, 2, 3, 4], start: '18:30', end: '22:00' },
  { day: [0, 6], start: '10:00', end: '14:00' },
]

const kinds: Record<string, Kind> = {
  office: { hours: [[office, 1]], meetingsADay: 2 },
  mixed: {
    hours: [
      [mornings, 0.7],
      [evenings, 0.3],
    ],
    meetingsADay: 1,
  },
  evenings: { hours: [[evenings, 1]], meetingsADay: 0.2 },
}

/** One person of each kind for each of the names. */
export const peopleOf = (names: readonly string[]): Person[] =>
  names.flatMap((name) =>
    Object.entries(kinds).map(([kind, given]) => newPerson(`${kind} ${name}`, given)),
  )

const newPerson = (name: string, { hours, meetingsADay }: Kind): Person => {
  const dice = newDice(`month of ${name}`)
  const timezone = dice.pick(ZONES)
  const midnights = range(DAYS + 1).map(
    (day) => FIRST_DAY.add({ days: day }).toZonedDateTime(timezone).epochMilliseconds,
  )
  const meetings = [
    ...standingMeetings(dice, midnights, meetingsADay),
    ...suddenMeetings(dice, midnights, hours[0]![0]),
  ]
  const arrivals = range(130).map((number) => {
    // 25 tasks are there at the start, the others arrive on the workdays.
    const day = number < 25 ? 0 : pickWorkday(dice)
    const at = number < 25 ? midnights[0]! : timeOn(midnights, day, dice.whole(8 * 60, 18 * 60))
    const windows = dice.weighted(
      hours.map(([each]) => each),
      hours.map(([, share]) => share),
    )
    return newArrival({ dice, number, at, windows, midnights })
  })
  const load = 0.75 + 0.25 * dice.next()
  scaleWork(arrivals, load * hoursOfWork(hours) - minutesOf(meetings))
  return {
    name,
    timezone,
    midnights,
    arrivals: arrivals.toSorted((a, b) => a.at - b.at),
    meetings,
    drags: range(DAYS)
      .filter((day) => day % 3 === 1)
      .map((day) => timeOn(midnights, day, dice.whole(9 * 60, 16 * 60))),
  }
}

const timeOn = (midnights: readonly number[], day: number, minute: number) =>
  midnights[day]! + minute * MINUTE

const pickWorkday = (dice: Dice): number => {
  const day = dice.whole(0, DAYS - 3)
  return day % 7 < 5 ? day : pickWorkday(dice)
}

type NewArrival = {
  dice: Dice
  number: number
  at: number
  windows: Window[]
  midnights: readonly number[]
}

const newArrival = ({ dice, number, at, windows, midnights }: NewArrival): Arrival => {
  const priority = dice.weighted<Priority>(
    ['none', 'low', 'medium', 'high', 'urgent'],
    [24, 14, 30, 22, 10],
  )
  const minutes = Math.max(10, Math.min(480, 45 * Math.exp(0.75 * normal(dice))))
  const dueDay = (at - midnights[0]!) / (1440 * MINUTE) + dueIn(dice, priority)
  const due = dueTime(dice, midnights, Math.floor(dueDay))
  // What is due at once is late for every planner.
  const isPossible = due - at > (240 + 2 * minutes) * MINUTE
  const task: Task = {
    id: `task-${String(number).padStart(3, '0')}`,
    title: `Task ${number}`,
    status: 'todo',
    priority,
    autoSchedule: true,
    autoSplit: !dice.chance(0.06),
    locked: false,
    dueAt: dice.chance(priority === 'none' ? 0.3 : 0.68) && isPossible ? due : null,
    startAfter: null,
    estimateMinutes: minutes,
    minSessionMinutes: dice.chance(0.3) ? dice.pick([15, 25, 30]) : 5,
    maxSessionMinutes: dice.chance(0.3) ? dice.pick([60, 90, 180]) : 120,
    cooldownMinutes: dice.pick([0, 5, 5, 10]),
    windows,
  }
  return { at, task, actualMinutes: minutes * 1.1 * Math.exp(0.35 * normal(dice)) }
}

const dueIn = (dice: Dice, priority: Priority): number =>
  priority === 'urgent'
    ? dice.weighted([0, 1, 2, 3, 5], [2, 5, 4, 3, 2])
    : dice.weighted([1, 2, 3, 4, 6, 8, 11, 14], [3, 4, 5, 5, 6, 5, 4, 3])

/** Due dates after the four weeks count as well, if they are near. Nothing is due on a weekend. */
const dueTime = (dice: Dice, midnights: readonly number[], day: number): number => {
  const hour = dice.weighted([12, 17, 24], [2, 7, 3])
  const workday = day % 7 < 5 ? day : day + 7 - (day % 7)
  return midnights[0]! + (workday * 1440 + hour * 60 - (hour === 24 ? 1 : 0)) * MINUTE
}

/** Gives the estimates, which are multiples of five minutes, this sum. */
const scaleWork = (arrivals: Arrival[], minutes: number) => {
  const sum = arrivals.reduce((total, { task }) => total + task.estimateMinutes!, 0)
  for (const arrival of arrivals) {
    const before = arrival.task.estimateMinutes!
    const after = Math.max(10, Math.min(480, Math.round((before * minutes) / sum / 5) * 5))
    arrival.task.estimateMinutes = after
    arrival.actualMinutes = Math.max(5, Math.round((arrival.actualMinutes * after) / before))
  }
}

const hoursOfWork = (hours: Kind['hours']): number =>
  hours.reduce((sum, [windows]) => sum + 4 * minutesAWeek(windows), 0)

const minutesAWeek = (windows: readonly Window[]): number =>
  windows.reduce((sum, { day, start, end }) => sum + day.length * (clock(end) - clock(start)), 0)

const clock = (time: string): number => {
  const [hour, minute] = time.split(':').map(Number)
  return hour! * 60 + minute!
}

const minutesOf = (meetings: readonly Meeting[]): number =>
  meetings.reduce((sum, { block }) => sum + (block.endAt - block.startAt) / MINUTE, 0)

const standingMeetings = (dice: Dice, midnights: readonly number[], aDay: number): Meeting[] =>
  range(DAYS)
    .filter((day) => day % 7 < 5)
    .flatMap((day) => {
      const count = Math.floor(aDay + dice.next())
      return range(count).map((number) => {
        const minute = 540 + 30 * dice.whole(1, 14)
        const startAt = timeOn(midnights, day, minute)
        return newMeeting(`standing-${day}-${number}`, -Infinity, startAt, dice.pick([30, 30, 60]))
      })
    })

/** About ten meetings, each known less than three days before. */
const suddenMeetings = (
  dice: Dice,
  midnights: readonly number[],
  windows: readonly Window[],
): Meeting[] =>
  range(10).map((number) => {
    const { day, start, end } = dice.pick(windows)
    const weekday = dice.pick(day)
    const last = clock(end) - 60
    const minute = clock(start) + 30 * dice.whole(0, (last - clock(start)) / 30)
    // Day 0 of the four weeks is a Monday, weekday 0 is a Sunday.
    const startAt = timeOn(midnights, 7 * dice.whole(0, 3) + ((weekday + 6) % 7), minute)
    const knownAt = startAt - dice.whole(60, 3 * 1440) * MINUTE
    return newMeeting(`sudden-${number}`, knownAt, startAt, dice.pick([30, 60, 60, 90]))
  })

const newMeeting = (id: string, knownAt: number, startAt: number, minutes: number): Meeting => ({
  knownAt,
  block: {
    id,
    taskId: null,
    type: 'event',
    source: 'manual',
    status: 'scheduled',
    locked: false,
    startAt,
    endAt: startAt + minutes * MINUTE,
  },
})

const normal = ({ next }: Dice) =>
  Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
