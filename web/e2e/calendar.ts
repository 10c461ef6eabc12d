// The calendar for tests: days and times in the user's zone, and helpers to drag.
import type { Locator, Page } from 'playwright-core'
import { vi } from 'vitest'
import type { Person } from './it.ts'

export const sydney = 'Australia/Sydney'

/** The Monday after next: nothing in that week is past, on any day. */
export function comingMonday(zone = sydney) {
  const today = Temporal.Now.plainDateISO(zone)
  return today.add({ days: 15 - today.dayOfWeek })
}

export const on = (day: Temporal.PlainDate, time: string, zone = sydney) =>
  new Date(
    day.toPlainDateTime(Temporal.PlainTime.from(time)).toZonedDateTime(zone).epochMilliseconds,
  )

/** `Wed 13:00`, in the user's local time. */
export function wall(date: Date, zone = sydney) {
  const zoned = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(zone)
  const weekday = zoned.toLocaleString('en-GB', { weekday: 'short' })
  return `${weekday} ${zoned.toPlainTime().toString({ smallestUnit: 'minute' })}`
}

export const span = ({ startAt, endAt }: { startAt: Date; endAt: Date }, zone = sydney) =>
  `${wall(startAt, zone)}–${wall(endAt, zone).slice(4)}`

export const block = (page: Page, title: string) =>
  page.locator('[data-block]').filter({ hasText: title })

/** The position of a day's time on the page, scrolled into view. */
export async function pointAt(page: Page, day: number, time: string) {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return page.evaluate(
    ({ at, column }) => {
      const scroller = document.querySelector('.week-scroll') as HTMLElement
      const body = document.querySelector('.week-body') as HTMLElement
      const hour = body.offsetHeight / 24
      scroller.scrollTop = Math.max(0, (at - 4) * hour)
      const box = document.querySelectorAll('.day-column')[column]?.getBoundingClientRect()
      if (!box) throw new Error(`There is no day ${column}`)
      return { x: box.x + box.width / 2, y: box.y + at * hour }
    },
    { at: hours + minutes / 60, column: day },
  )
}

/** Drags with the mouse in small steps. */
export async function drag(
  page: Page,
  from: { x: number; y: number },
  to: { x: number; y: number },
  { drop = true } = {},
) {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  for (let step = 1; step <= 6; step += 1) {
    await page.mouse.move(
      from.x + ((to.x - from.x) * step) / 6,
      from.y + ((to.y - from.y) * step) / 6,
    )
  }
  if (drop) await page.mouse.up()
}

export async function middleOf(locator: Locator) {
  // A block that has just moved to another day is a new element.
  const box = await vi.waitFor(
    async () => {
      const found = await locator.boundingBox()
      if (!found) throw new Error('It is not on the page')
      return found
    },
    { timeout: 10_000 },
  )
  return { ...box, x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

export async function blocksOf({ api }: Person, monday: Temporal.PlainDate) {
  return api.timeBlocks.list({
    from: on(monday.subtract({ days: 1 }), '00:00'),
    to: on(monday.add({ days: 8 }), '00:00'),
  })
}

type Point = { x: number; y: number }

/** Drags by touch; a long press first, where that starts the drag. */
export async function touchDrag(
  { page, context }: Person,
  from: Point,
  to: Point,
  { restsMs = 800 } = {},
) {
  const session = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points })
  await touch('touchStart', [{ x: from.x, y: from.y }])
  await page.waitForTimeout(restsMs)
  for (let step = 1; step <= 6; step += 1) {
    await touch('touchMove', [{ x: from.x, y: from.y + ((to.y - from.y) * step) / 6 }])
    await page.waitForTimeout(20)
  }
  await touch('touchEnd', [])
}
