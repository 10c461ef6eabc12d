import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '../../ui/empty-state.tsx'
import { queries } from '../../data/queries.ts'
import { SettingsHead } from './settings-head.tsx'
import { UsageTable } from './usage-table.tsx'

export function UsageSettings() {
  const { data: usage, error } = useQuery(queries.usage())
  return (
    <>
      <SettingsHead title="Storage and limits">
        How much you use on this server, and the limits of an account. The operator of the server
        sets the limits.
      </SettingsHead>
      {error && !usage && <EmptyState title="Your usage could not be loaded" />}
      {usage && <UsageTable usage={usage} />}
    </>
  )
}
