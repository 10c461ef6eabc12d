// Test helpers for the calendar: days and times in the user's zone, and dragging.
import { expect, type Locator, type Page } from '@playwright/test'
import type { Person } from './it.ts'

export const sydney = 'Australia/Sydney'

/** The Monday after next: no day of its week is in the past, whatever day it is today. */
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

/** Scrolls to a time of a day, and returns its position on the page. */
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

/** The middle of the element once it has come to rest: the grid shifts while its queries load. */
export async function middleOf(locator: Locator) {
  // A block that has just moved to another day is a new element.
  let box = { x: 0, y: 0, width: 0, height: 0 }
  await expect(async () => {
    const before = await locator.boundingBox()
    await locator.page().waitForTimeout(100)
    const found = await locator.boundingBox()
    if (!found) throw new Error('It is not on the page')
    if (before?.x !== found.x || before.y !== found.y) throw new Error('It still moves')
    box = found
  }).toPass({ timeout: 10_000 })
  return { ...box, x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

export async function blocksOf({ api }: Person, monday: Temporal.PlainDate) {
  return api.timeBlocks.list({
    from: on(monday.subtract({ days: 1 }), '00:00'),
    to: on(monday.add({ days: 8 }), '00:00'),
  })
}

type Point = { x: number; y: number }

const dragSteps = [1, 2, 3, 4, 5, 6]

/** Drags by touch after a long press, which lasts until `pressed` is shown. */
export async function touchDrag(person: Person, from: Point, to: Point, pressed: Locator) {
  const touch = await touchOf(person)
  await touch('touchStart', from)
  await pressed.waitFor()
  for (const step of dragSteps) await touch('touchMove', pointBetween(from, to, step / 6))
  await touch('touchEnd')
}

/** Moves by touch without a long press. */
export async function touchSwipe(person: Person, from: Point, to: Point) {
  const touch = await touchOf(person)
  // Sent together: on a slow machine, a pause after the first event would become a long press.
  await Promise.all([
    touch('touchStart', from),
    ...dragSteps.map((step) => touch('touchMove', pointBetween(from, to, step / 6))),
  ])
  await touch('touchEnd')
}

async function touchOf({ page, context }: Person) {
  const session = await context.newCDPSession(page)
  return (type: 'touchStart' | 'touchMove' | 'touchEnd', point?: Point) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: point ? [{ x: point.x, y: point.y }] : [],
    })
}

const pointBetween = (from: Point, to: Point, part: number): Point => ({
  x: from.x,
  y: from.y + (to.y - from.y) * part,
})
