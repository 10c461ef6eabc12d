import type { Refused } from './reader.ts'

/** Error messages for the user. */
export const refusals: Record<Refused['refused'], string> = {
  'no-calendar': 'There is no calendar at this address',
  incomplete: 'The file is incomplete',
  'nested-too-deeply': 'The file is not a valid calendar',
  'too-large': 'The file is larger than 50 MB',
  'too-many-events': 'The calendar has more than 100,000 events',
  'too-many-steps': 'The calendar takes too long to read',
  'too-large-to-store': 'The calendar is larger than 10 MB',
  'too-expensive': 'The calendar takes too long to read',
  died: 'The calendar takes too much memory to read',
  busy: 'The service is busy reading other calendars',
}
