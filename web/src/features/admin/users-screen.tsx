import { getRouteApi } from '@tanstack/react-router'
import type { Account } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { updateAccount } from '../../data/actions/admin.ts'
import { perform } from '../../data/run-mutation.ts'
import { useZone, useProfile } from '../../data/profile.ts'
import { queries } from '../../data/queries.ts'
import { formatDate } from '../../time/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Screen } from '../../ui/screen.tsx'
import { nameOf } from './name-of.ts'
import { ParkedJobs } from './parked-jobs.tsx'
import { Quarantine } from './quarantine.tsx'
import { UsagePanel } from './usage-panel.tsx'

const route = getRouteApi('/app/admin/users')

export function UsersScreen() {
  const profile = useProfile()
  if (profile?.isAdmin) return <People />
  return (
    <Screen title="Users">
      <EmptyState title="You don’t have access">
        Only admins can see the users of this server.
      </EmptyState>
    </Screen>
  )
}

function People() {
  const { data: accounts, isError } = useQuery(queries.accounts())
  const [words, setWords] = useState('')
  const { usage } = route.useSearch()
  const navigate = route.useNavigate()
  const showUsage = (id?: string) =>
    void navigate({ search: id === undefined ? {} : { usage: id }, replace: true })
  const inPanel = accounts?.find(({ id }) => id === usage)
  const wanted = words.trim().toLowerCase()
  const shown = (accounts ?? []).filter(({ email, displayName }) =>
    `${email} ${displayName}`.toLowerCase().includes(wanted),
  )
  return (
    <Screen
      title="Users"
      lead={<span className="text-ink-3 tabular">{accounts?.length}</span>}
      actions={
        <input
          type="search"
          aria-label="Find a user"
          placeholder="Find"
          className="input w-32 md:w-52"
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
      }
      panel={
        inPanel && (
          <UsagePanel key={inPanel.id} account={inPanel} onClose={() => showUsage(undefined)} />
        )
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto pb-20">
        <ParkedJobs />
        <Quarantine />
        {isError && <EmptyState title="The users could not be loaded" />}
        <h2 className="border-b bg-panel px-4 py-1.5 text-xs font-medium text-ink-2">Accounts</h2>
        <ul>
          {shown.map((account) => (
            <Row
              key={account.id}
              account={account}
              isInPanel={account.id === usage}
              onUsage={() => showUsage(account.id === usage ? undefined : account.id)}
            />
          ))}
        </ul>
      </div>
    </Screen>
  )
}

type RowProps = { account: Account; isInPanel: boolean; onUsage: () => void }

function Row({ account, isInPanel, onUsage }: RowProps) {
  const profile = useProfile()
  const zone = useZone()
  const isMe = account.id === profile?.id
  const name = nameOf(account)
  const change = (
    changes: Partial<Pick<Account, 'role' | 'disabled' | 'jobsStopped'>>,
    says: string,
  ) => void perform(updateAccount(account, changes, says))
  return (
    <li
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 border-b px-4 py-2.5 ${isInPanel ? 'bg-panel' : ''}`}
    >
      <span
        aria-hidden="true"
        className="grid size-7 flex-none place-content-center rounded-full bg-sunken text-xs font-semibold text-ink-2"
      >
        {name.slice(0, 1).toUpperCase()}
      </span>
      <div className="min-w-40 flex-1">
        <p className="truncate font-medium">{name}</p>
        <p className="truncate text-xs text-ink-3">
          {account.email} · since {formatDate(account.createdAt, zone)}
        </p>
      </div>
      {account.role === 'admin' && <Badge>admin</Badge>}
      {account.disabled && <Badge tone="signal">disabled</Badge>}
      {account.jobsStopped && <Badge tone="signal">background work stopped</Badge>}
      {isMe && <Badge>you</Badge>}
      <div className="flex flex-wrap gap-1.5">
        <Button aria-pressed={isInPanel} onClick={onUsage}>
          Usage
        </Button>
        {!isMe && (
          <>
            <Button
              onClick={() =>
                account.role === 'admin'
                  ? change({ role: 'user' }, `${name} is no longer an admin.`)
                  : change({ role: 'admin' }, `${name} is an admin.`)
              }
            >
              {account.role === 'admin' ? 'Remove admin' : 'Make admin'}
            </Button>
            <Button
              onClick={() =>
                change(
                  { jobsStopped: !account.jobsStopped },
                  account.jobsStopped
                    ? `Background work for ${name} has been resumed.`
                    : `Nothing is planned, read or sent for ${name} in the background.`,
                )
              }
            >
              {account.jobsStopped ? 'Resume background work' : 'Stop background work'}
            </Button>
            <Button
              look={account.disabled ? 'plain' : 'danger'}
              onClick={() =>
                change(
                  { disabled: !account.disabled },
                  account.disabled
                    ? `${name} can sign in again.`
                    : `${name} can no longer sign in.`,
                )
              }
            >
              {account.disabled ? 'Enable' : 'Disable'}
            </Button>
          </>
        )}
      </div>
    </li>
  )
}
