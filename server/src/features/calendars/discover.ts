import type { CalendarAccount } from '@daywright/contract'
import { findCalendars } from './caldav.ts'
import type { Previewing } from './preview-calendar.ts'

/** Finds the calendars of an account at a CalDAV server. Slow servers have the places that slow previews have. */
export async function discover(previewing: Previewing, userId: string, account: CalendarAccount) {
  const holding = previewing.memory.open(userId)
  try {
    return await previewing.limitSlow((slow) => {
      const ending = AbortSignal.any([slow, holding.signal])
      const owner = { userId, name: 'discovery' }
      return findCalendars({ ...previewing, holding }, owner, account, ending)
    })
  } finally {
    holding.release()
  }
}
