// The week in half hours, from Monday.
import type { Minutes } from '../../../data/windows.ts'
import { clockOf } from './week-ranges.ts'

export type Cell = { day: number; slot: number }

export const slots = 48
const slotMinutes = 30
export const fromMonday = [1, 2, 3, 4, 5, 6, 0]
export const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

export const stretchOf = (slot: number): Minutes => ({
  start: slot * slotMinutes,
  end: (slot + 1) * slotMinutes,
})

export const nameOf = ({ day, slot }: Cell) => `${dayNames[day]} ${clockOf(slot * slotMinutes)}`

/** All cells between two corners. */
export function boxOf(one: Cell, other: Cell) {
  const columns = [fromMonday.indexOf(one.day), fromMonday.indexOf(other.day)]
  return {
    days: fromMonday.slice(Math.min(...columns), Math.max(...columns) + 1),
    stretch: {
      start: Math.min(one.slot, other.slot) * slotMinutes,
      end: (Math.max(one.slot, other.slot) + 1) * slotMinutes,
    },
  }
}

/** The cell at a point. Not taken from the event, because touch events keep their first target. */
export const cellAt = (x: number, y: number) => cellOf(document.elementFromPoint(x, y))

export function cellOf(element: Element | null): Cell | undefined {
  const cell = element?.closest<HTMLElement>('[data-cell]')
  const [day, slot] = cell?.dataset.cell?.split('-').map(Number) ?? []
  return day === undefined || slot === undefined ? undefined : { day, slot }
}
