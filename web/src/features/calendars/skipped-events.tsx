import type { Calendar } from '@daywright/contract'

/** The events that were skipped, and why. */
export function SkippedEvents({
  skipped,
  skippedCount,
}: Pick<Calendar, 'skipped' | 'skippedCount'>) {
  if (skippedCount === 0) return null
  return (
    <details className="mt-1 text-xs text-ink-2">
      <summary>
        {skippedCount === 1 ? '1 event was skipped' : `${skippedCount} events were skipped`}
      </summary>
      <ul className="mt-1 pl-4">
        {skipped.slice(0, shown).map(({ title, reason }, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            {title || 'Untitled'}: {reasons[reason] ?? 'it could not be read'}
          </li>
        ))}
      </ul>
    </details>
  )
}

const shown = 20

const reasons: Record<string, string> = {
  'too-many-occurrences': 'it repeats too often',
  'too-many-steps': 'its rule takes too long to calculate',
  'rule-not-understood': 'its rule is not understood, so only the first date is shown',
}
