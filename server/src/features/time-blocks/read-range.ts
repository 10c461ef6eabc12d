import { parseTimestamp, type TimeBlockRange } from '@daywright/contract'
import { badRequest, invalid } from '../../platform/errors.ts'

const day = 86_400_000

/** The range of a query, by default a day from now. */
export function readRange({ from: first, to: last }: TimeBlockRange, now: Date) {
  const from = first === undefined ? now : readDate(first)
  const to = last === undefined ? new Date(from.getTime() + day) : readDate(last)
  if (to <= from) throw invalid({ to: ['Must be after from'] })
  if (to.getTime() - from.getTime() > 62 * day) {
    throw invalid({ to: ['Must be at most 62 days after from'] })
  }
  return { from, to }
}

function readDate(given: unknown) {
  const date = typeof given === 'string' ? parseTimestamp(given) : undefined
  if (!date) throw badRequest('from and to must be ISO dates')
  return date
}
