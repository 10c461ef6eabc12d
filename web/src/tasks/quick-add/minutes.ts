// Parses durations: 45m, 2h, 1.5h, 1h30, 1:30.
export type Minutes = number

const most = 960

/** Undefined if it is no duration, or none that a task can have. */
export function readMinutes(text: string): Minutes | undefined {
  const words = text.trim().replace(/^~/, '').toLowerCase()
  const clock = /^(\d{1,2}):(\d{2})$/.exec(words)
  if (clock) return within(Number(clock[1]) * 60 + Number(clock[2]))
  const parts =
    /^(?:(\d+(?:[.,]\d+)?)\s*h(?:ours?|rs?)?)?\s*(?:(\d+)\s*(?:m(?:in(?:ute)?s?)?)?)?$/.exec(words)
  if (!parts || (parts[1] === undefined && parts[2] === undefined)) return undefined
  return within(Number((parts[1] ?? '0').replace(',', '.')) * 60 + Number(parts[2] ?? 0))
}

const within = (minutes: number) =>
  minutes > 0 && minutes <= most ? Math.round(minutes) : undefined
