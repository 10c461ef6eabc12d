// How current a calendar of another service is, in words.
import type { Calendar } from '@daywright/contract'
import { formatWhenInText } from '../../time/format.ts'
import type { Zone } from '../../time/zone.ts'

const dayMs = 86_400_000

/** Whether the last attempt failed and the calendar has not been read for a day. */
export const isStale = ({ error, fetchedAt, createdAt }: Calendar, now: Date) =>
  error !== null && now.getTime() - (fetchedAt ?? createdAt).getTime() >= dayMs

/** `Read: Today 14:03` */
export const readText = ({ fetchedAt }: Calendar, zone: Zone, now: Date) =>
  fetchedAt ? `Read: ${formatWhenInText(fetchedAt, zone, now)}` : 'Not read yet'
