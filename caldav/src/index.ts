// A client for CalDAV servers. The caller sends the requests, and parses the answers where a hostile server does no harm.
export { discoverCalendars, type FoundCalendar } from './discover.ts'
export { DavError, type DavErrorReason } from './errors.ts'
export { type ListedObject, type Listing, readListing } from './listing.ts'
export { type Multistatus, readMultistatus } from './multistatus.ts'
export type { Client, Content, DavRequest, DavResponse, Parse, Send } from './request.ts'
export {
  type CalendarObject,
  type CalendarState,
  type Changes,
  readObjects,
  syncCalendar,
} from './sync.ts'
export { createCalendar, deleteObject, putObject } from './write.ts'
export type { Budget } from './xml.ts'
