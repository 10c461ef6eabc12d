// Which jobs are due at a user's local time. A pure function, so that tests can simulate a year.
export type UserState = {
  timezone: string
  automatic: boolean
  /** `HH:MM`, in the user's timezone. */
  quietFrom: string | null
  quietTo: string | null
  dailyRunAt: string
  summaryAt: string | null
  /** The time of the first change since the last plan, and of the last change. */
  staleSince: Date | null
  changedAt: Date | null
  /** The earliest end of a block that is missed unless it is started or completed. */
  nextEndAt: Date | null
  /** The last local day, `YYYY-MM-DD`, for which each job is done. */
  plannedOn: string | null
  summarizedOn: string | null
  trimmedOn: string | null
  /** The history exceeds its limit: the oldest events are due for removal. */
  isHistoryFull: boolean
}

export type Due = {
  today: string
  summary: boolean
  run: boolean
  /** The local day that the run rolls forward to, if it does. */
  rollsTo: string | undefined
  trim: boolean
  /** When to check again if nothing else happens; now, if something is due. */
  next: Date
}

/** Debounce: replan after 2 s without changes, at most 10 s after the first. */
const debounceMs = 2000
const maxWaitMs = 10_000
/** A user may still complete a block in the minute after its end. */
const missedAfterMs = 60_000

export function findDueJobs(user: UserState, now: Date): Due {
  const { timezone, automatic } = user
  const local = zoned(now, timezone)
  const today = local.toPlainDate()
  const times: Temporal.Instant[] = []
  const instant = local.toInstant()

  /** True if a daily job is due: its time has come today, and it is not done. Otherwise records its next time. */
  function isDaily(at: string, doneOn: string | null) {
    const isDone = doneOn !== null && doneOn >= today.toString()
    const begins = firstInstant(today, at, timezone)
    if (!isDone && Temporal.Instant.compare(begins, instant) <= 0) return true
    times.push(
      Temporal.Instant.compare(begins, instant) > 0 && !isDone
        ? begins
        : firstInstant(today.add({ days: 1 }), at, timezone),
    )
    return false
  }

  /** The last day whose hour has passed, if its run is not done. It may be yesterday, delayed by quiet hours. */
  function dayToRollTo(at: string, doneOn: string | null) {
    const begins = firstInstant(today, at, timezone)
    const hasBegun = Temporal.Instant.compare(begins, instant) <= 0
    const last = hasBegun ? today : today.subtract({ days: 1 })
    const isDue = doneOn === null ? hasBegun : doneOn < last.toString()
    if (isDue) return last.toString()
    times.push(hasBegun ? firstInstant(today.add({ days: 1 }), at, timezone) : begins)
    return undefined
  }

  /** True if this time has come; otherwise records it as a time to check again. */
  function hasCome(at: number | null) {
    if (at === null) return false
    if (at <= now.getTime()) return true
    times.push(Temporal.Instant.fromEpochMilliseconds(at))
    return false
  }

  const summary = user.summaryAt !== null && isDaily(user.summaryAt, user.summarizedOn)
  const trim = isDaily('03:00', user.trimmedOn) || user.isHistoryFull
  let run = false
  let rollsTo: string | undefined
  if (automatic) {
    rollsTo = dayToRollTo(user.dailyRunAt, user.plannedOn)
    const isStale = hasCome(debounceUntil(user))
    const isMissed = hasCome(user.nextEndAt && user.nextEndAt.getTime() + missedAfterMs)
    if (rollsTo !== undefined || isStale || isMissed) {
      const quietUntil = quietHoursEnd(user, local)
      if (quietUntil) times.push(quietUntil)
      else run = true
    }
  }
  const [first = instant] =
    summary || run || trim ? [] : times.toSorted((a, b) => Temporal.Instant.compare(a, b))
  const next = new Date(first.epochMilliseconds)
  return { today: today.toString(), summary, run, rollsTo, trim, next }
}

function debounceUntil({ staleSince, changedAt }: UserState) {
  if (!staleSince) return null
  const first = staleSince.getTime()
  const last = Math.max(first, changedAt?.getTime() ?? 0)
  return Math.min(last + debounceMs, first + maxWaitMs)
}

const zoned = (date: Date, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(timezone)

/** The first instant with this local time, or the end of the gap if a clock change skips this time. */
function firstInstant(day: Temporal.PlainDate, at: string, timezone: string) {
  const time = Temporal.PlainTime.from(at)
  const found = day.toPlainDateTime(time).toZonedDateTime(timezone, { disambiguation: 'earlier' })
  if (found.toPlainDateTime().equals(day.toPlainDateTime(time))) return found.toInstant()
  return (found.getTimeZoneTransition('next') ?? found).toInstant()
}

/** The end of the current quiet hours, or undefined outside of them. */
function quietHoursEnd(
  { quietFrom, quietTo, timezone }: UserState,
  local: Temporal.ZonedDateTime,
): Temporal.Instant | undefined {
  if (quietFrom === null || quietTo === null) return undefined
  const clock = local.toPlainTime().toString({ smallestUnit: 'minute' })
  const overMidnight = quietTo < quietFrom
  const isQuiet = overMidnight
    ? clock >= quietFrom || clock < quietTo
    : clock >= quietFrom && clock < quietTo
  if (!isQuiet) return undefined
  const endsTomorrow = overMidnight && clock >= quietFrom
  const day = local.toPlainDate().add({ days: endsTomorrow ? 1 : 0 })
  const ends = firstInstant(day, quietTo, timezone)
  if (Temporal.Instant.compare(ends, local.toInstant()) > 0) return ends
  // The clock was set back, so this local time occurs twice, and the second one is still ahead.
  const again = { disambiguation: 'later' } as const
  return day.toPlainDateTime(quietTo).toZonedDateTime(timezone, again).toInstant()
}
