// Describes what an appointment would do to the plan.
import type { Slots } from '@daywright/contract'
import { now } from '../../../time/clock.ts'
import { formatMinutes, formatWhenInText } from '../../../time/format.ts'
import type { Zone } from '../../../time/zone.ts'
import { nameTasks } from '../../insight/forecast-texts.ts'

export type Slot = Slots['slots'][number]

/** What an appointment in this slot changes. Missed due dates come first. */
export function describeCost(
  { effect }: Pick<Slot, 'effect'>,
  titleOf: (taskId: string) => string,
  zone: Zone,
) {
  const { becomeLate, lateMinutes, leftOverMinutes, moves } = effect
  const moved = moves.filter(({ from }) => from)
  const [first] = moved
  const costs = [
    becomeLate.length > 0 && `Makes ${nameTasks(becomeLate, titleOf)} late.`,
    becomeLate.length === 0 &&
      lateMinutes >= 1 &&
      `Work that is already late will be ${formatMinutes(lateMinutes)} later.`,
    leftOverMinutes > 0 &&
      `${formatMinutes(leftOverMinutes)} of work no longer fits into the next two weeks.`,
    moved.length === 1 &&
      first?.to &&
      `Moves “${titleOf(first.taskId)}” to ${formatWhenInText(first.to.startAt, zone, now())}.`,
    moved.length > 1 && `Moves ${moved.length} planned blocks.`,
  ].filter((cost) => typeof cost === 'string')
  return costs.length > 0 ? costs.join(' ') : 'Nothing else changes.'
}

/** Whether an appointment in this slot makes work late, or later, or pushes it out of the plan. */
export const isCostly = ({ effect }: Pick<Slot, 'effect'>) =>
  effect.becomeLate.length > 0 || effect.lateMinutes >= 1 || effect.leftOverMinutes > 0
