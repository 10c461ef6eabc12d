import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '../ui/empty-state.tsx'
import { queries } from '../data/queries.ts'
import { SettingsHead } from './settings-head.tsx'
import { UsageTable } from './usage-table.tsx'

export function UsageSettings() {
  const { data: usage, error } = useQuery(queries.usage())
  return (
    <>
      <SettingsHead title="Storage and limits">
        What you have on this server, and the most that one account may have. The person who runs
        the server sets the limits.
      </SettingsHead>
      {error && !usage && <EmptyState title="The figures could not be read" />}
      {usage && <UsageTable usage={usage} />}
    </>
  )
}
