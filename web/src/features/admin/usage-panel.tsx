import type { Account } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { queries } from '../../data/queries.ts'
import { UsageTable } from '../settings/usage-table.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { Panel } from '../../ui/screen.tsx'
import { nameOf } from './name-of.ts'

type Props = { account: Account; onClose: () => void }

export function UsagePanel({ account, onClose }: Props) {
  const { data: usage, error } = useQuery(queries.usageOf(account.id))
  const title = `Usage of ${nameOf(account)}`
  return (
    <Panel label={title} title={title} onClose={onClose}>
      <div className="px-4 py-3">
        {usage && <UsageTable usage={usage} />}
        {error && !usage && <NotLoaded what="usage" error={error} />}
      </div>
    </Panel>
  )
}
