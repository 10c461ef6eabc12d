// What a user's own clock says: pure, so that a year of mornings can be simulated in a second.
export type Agenda = {
  timezone: string
  automatic: boolean
  /** `HH:MM`, in the user's timezone. */
  quietFrom: string | null
  quietTo: string | null
  dailyRunAt: string
  summaryAt: string | null
  /** The first change that the plan does not know of, and the last change there was. */
  staleSince: Date | null
  changedAt: Date | null
  /** Local days, `YYYY-MM-DD`, that are done with. */
  plannedOn: string | null
  summarizedOn: string | null
  trimmedOn: string | null
  /** There is more of it than is kept: the oldest is due to go. */
  isHistoryFull: boolean
}

export type Due = {
  today: string
  summary: boolean
  run: boolean
  /** The day whose roll forward the run is, if it is one. */
  rollsTo: string | undefined
  trim: boolean
  /** When to look again, if nothing else happens; now, where something is due. */
  next: Date
}

/** The hand that changes things must have been still for so long; who does not rest is not waited for. */
const stillForMs = 2000
const patienceMs = 10_000

export function whatIsDue(agenda: Agenda, now: Date): Due {
  const { timezone, automatic } = agenda
  const local = zoned(now, timezone)
  const today = local.toPlainDate()
  const times: Temporal.Instant[] = []
  const instant = local.toInstant()

  /** True if its time has come today; else, or for tomorrow, notes when it comes. */
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

  /** The last day whose hour has come and is not done: yesterday's, too, which quiet hours put off. */
  function dayToRollTo(at: string, doneOn: string | null) {
    const begins = firstInstant(today, at, timezone)
    const hasCome = Temporal.Instant.compare(begins, instant) <= 0
    const last = hasCome ? today : today.subtract({ days: 1 })
    const isDue = doneOn === null ? hasCome : doneOn < last.toString()
    if (isDue) return last.toString()
    times.push(hasCome ? firstInstant(today.add({ days: 1 }), at, timezone) : begins)
    return undefined
  }

  const summary = agenda.summaryAt !== null && isDaily(agenda.summaryAt, agenda.summarizedOn)
  const trim = isDaily('03:00', agenda.trimmedOn) || agenda.isHistoryFull
  let run = false
  let rollsTo: string | undefined
  if (automatic) {
    rollsTo = dayToRollTo(agenda.dailyRunAt, agenda.plannedOn)
    const still = stillAt(agenda)
    const isStale = still !== undefined && still <= now.getTime()
    if (still !== undefined && !isStale) times.push(Temporal.Instant.fromEpochMilliseconds(still))
    if (rollsTo !== undefined || isStale) {
      const loud = endOfQuiet(agenda, local)
      if (loud) times.push(loud)
      else run = true
    }
  }
  const [first = instant] =
    summary || run || trim ? [] : times.toSorted((a, b) => Temporal.Instant.compare(a, b))
  const next = new Date(first.epochMilliseconds)
  return { today: today.toString(), summary, run, rollsTo, trim, next }
}

function stillAt({ staleSince, changedAt }: Agenda) {
  if (!staleSince) return undefined
  const first = staleSince.getTime()
  const last = Math.max(first, changedAt?.getTime() ?? 0)
  return Math.min(last + stillForMs, first + patienceMs)
}

const zoned = (date: Date, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(timezone)

/** When a clock on the wall first shows this time, or, where it is skipped, a later one. */
function firstInstant(day: Temporal.PlainDate, at: string, timezone: string) {
  const time = Temporal.PlainTime.from(at)
  const found = day.toPlainDateTime(time).toZonedDateTime(timezone, { disambiguation: 'earlier' })
  if (found.toPlainDateTime().equals(day.toPlainDateTime(time))) return found.toInstant()
  return (found.getTimeZoneTransition('next') ?? found).toInstant()
}

/** When the quiet hours that we are in end, or undefined where we are in none. */
function endOfQuiet(
  { quietFrom, quietTo, timezone }: Agenda,
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
  // The clock has been set back: it shows that time twice, and we are before the second one.
  const again = { disambiguation: 'later' } as const
  return day.toPlainDateTime(quietTo).toZonedDateTime(timezone, again).toInstant()
}
