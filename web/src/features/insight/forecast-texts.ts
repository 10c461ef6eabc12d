// The forecast in words.
import type { PlannerForecast, Window } from '@daywright/contract'
import { formatDate, formatMinutes } from '../../time/format.ts'
import type { Zone } from '../../time/zone.ts'

export type Chance = PlannerForecast['chances'][number]
export type WayOut = PlannerForecast['waysOut'][number]

type TitleOf = (taskId: string) => string

const weekdays = [
  'Sundays',
  'Mondays',
  'Tuesdays',
  'Wednesdays',
  'Thursdays',
  'Fridays',
  'Saturdays',
]

/** `Likely, 86%` */
export const describeChance = ({ likelihood, chance }: Chance) =>
  `${likelihood.charAt(0).toUpperCase()}${likelihood.slice(1)}, ${percentOf(chance)}%`

/** Limited to 1–99%, because no simulation makes a due date certain. */
const percentOf = (chance: number) => Math.min(99, Math.max(1, Math.round(chance * 100)))

/** The change that a way out proposes. */
export function describeChange({ change }: WayOut, titleOf: TitleOf, zone: Zone) {
  if (change.kind === 'postpone') {
    return `Postpone “${titleOf(change.taskId)}” to after ${formatDate(change.startAfter, zone)}`
  }
  return `Work ${describeWindow(change.added)}, every week`
}

const describeWindow = ({ day, start, end }: Window) =>
  `from ${start} to ${end} on ${joinWords(day.map((each) => weekdays[each] ?? ''))}`

/** What the change does to the plan. */
export function describeEffect({ change, effect, solvesAll }: WayOut, titleOf: TitleOf) {
  const { becomeOnTime, leftOverMinutes, moves } = effect
  const isPostponed = change.kind === 'postpone'
  const moved = moves.filter(({ from, to }) => from && to).length
  return [
    solvesAll
      ? `Then everything${isPostponed ? ' else' : ''} fits and is on time.`
      : becomeOnTime.length > 0
        ? `Then ${nameTasks(becomeOnTime, titleOf)} ${becomeOnTime.length === 1 ? 'is' : 'are'} on time.`
        : `Then ${formatMinutes(-leftOverMinutes)} more of your work fits.`,
    isPostponed && change.missesDueDate && 'It will miss its own due date.',
    moved > 0 && `${moved} ${moved === 1 ? 'block moves' : 'blocks move'}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

const mostNamed = 3

/** `“Write”, “Read” and 2 more` */
export function nameTasks(ids: readonly string[], titleOf: TitleOf) {
  const named = ids.slice(0, mostNamed).map((id) => `“${titleOf(id)}”`)
  const others = ids.length - named.length
  return joinWords(others > 0 ? [...named, `${others} more`] : named)
}

function joinWords(words: readonly string[]) {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}
