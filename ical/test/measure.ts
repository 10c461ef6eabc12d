// Reads an ordinary file and the hostile files one after the other in a separate process, and prints the cost of each.
import { CalendarRefused, readCalendar } from '../src/index.ts'
import { hostileFiles, ordinaryFile } from './hostile-files.ts'

const options = { from: '2026-10-16T00:00:00Z', to: '2027-05-19T00:00:00Z', zone: 'Europe/Berlin' }

// Read once before the measurement, so that compiling the code does not count.
read(new TextEncoder().encode(ordinaryFile()))
const files = { ordinary: ordinaryFile, ...hostileFiles }
for (const [name, make] of Object.entries(files)) {
  const bytes = new TextEncoder().encode(make())
  const before = process.cpuUsage()
  const outcome = read(bytes)
  const { user, system } = process.cpuUsage(before)
  // The peak memory of the process so far.
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024)
  const cost = { seconds: (user + system) / 1e6, megabytes }
  console.log(JSON.stringify({ name, size: bytes.length, ...cost, ...outcome }))
}

function read(bytes: Uint8Array) {
  try {
    const { occurrences, skippedCount } = readCalendar(bytes, options)
    return { occurrences: occurrences.length, skipped: skippedCount }
  } catch (error) {
    if (!(error instanceof CalendarRefused)) throw error
    return { refused: error.reason }
  }
}
