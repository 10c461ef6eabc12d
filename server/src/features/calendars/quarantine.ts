// A calendar that is too expensive to read, or whose reading has ended the service, is read again after 1, 6 and 24 hours, and
// then no more: each attempt costs as much as is allowed.
const hour = 3_600_000
const delaysMs = [hour, 6 * hour, 24 * hour]

const switchedOff =
  'This calendar is switched off, because it could not be read four times. Enter its address again to switch it on.'

/** What is recorded after this many such attempts in a row. */
export function quarantine(reason: string, crashes: number, now: Date) {
  const delayMs = delaysMs[crashes - 1]
  const nextAt = delayMs === undefined ? null : new Date(now.getTime() + delayMs)
  const error = nextAt ? reason : `${reason}. ${switchedOff}`
  return { error, nextAt, crashes }
}
