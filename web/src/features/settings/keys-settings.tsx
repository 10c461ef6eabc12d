import { useZone } from '../../data/profile.ts'
import type { ApiKey, IssuedApiKey } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { revokeKey } from '../../data/actions/access.ts'
import { perform } from '../../data/run-mutation.ts'
import { queries } from '../../data/queries.ts'
import { useNow } from '../../time/clock.ts'
import { formatDate, formatWhenInText } from '../../time/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from './confirm-button.tsx'
import { NewKeyForm } from './new-key-form.tsx'
import { SettingsHead } from './settings-head.tsx'
import { ShownOnce } from './shown-once.tsx'

export function KeySettings() {
  const { data: keys, isError } = useQuery(queries.apiKeys())
  const [issued, setIssued] = useState<IssuedApiKey>()
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <SettingsHead title="API keys">
        For scripts and assistants. Give each key only the permissions it needs.
      </SettingsHead>
      {issued && (
        <ShownOnce
          key={issued.id}
          title={`The key “${issued.name}”`}
          secret={issued.key}
          onDone={() => setIssued(undefined)}
        />
      )}
      {isAdding ? (
        <NewKeyForm
          onCancel={() => setAdding(false)}
          onIssued={(key) => {
            setIssued(key)
            setAdding(false)
          }}
        />
      ) : (
        <Button look="primary" onClick={() => setAdding(true)}>
          New key
        </Button>
      )}
      {isError && <p className="mt-4 text-signal-ink">The keys could not be loaded.</p>}
      {keys?.length === 0 && <p className="mt-6 text-ink-3">No API keys yet.</p>}
      <ul className="mt-4">
        {keys?.map((key) => (
          <Row key={key.id} apiKey={key} />
        ))}
      </ul>
    </>
  )
}

function Row({ apiKey }: { apiKey: ApiKey }) {
  const zone = useZone()
  const now = useNow()
  const isOver = apiKey.expiresAt !== null && apiKey.expiresAt < now
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b py-2.5">
      <div className="min-w-48 flex-1">
        <p className="font-medium">{apiKey.name}</p>
        <p className="truncate font-mono text-2xs text-ink-3">{apiKey.prefix}…</p>
        <p className="text-xs text-ink-3 tabular">
          {apiKey.lastUsedAt
            ? `Used ${formatWhenInText(apiKey.lastUsedAt, zone, now)}`
            : 'Not used yet'}
          {apiKey.expiresAt &&
            ` · ${isOver ? 'expired' : 'expires'} ${formatDate(apiKey.expiresAt, zone)}`}
        </p>
      </div>
      <div className="flex gap-1">
        {isOver && <Badge tone="signal">expired</Badge>}
        {apiKey.scopes.map((scope) => (
          <Badge key={scope}>{scope}</Badge>
        ))}
      </div>
      <ConfirmButton
        label={`Revoke “${apiKey.name}”`}
        question="Revoke permanently?"
        onConfirm={() => void perform(revokeKey(apiKey))}
      >
        Revoke
      </ConfirmButton>
    </li>
  )
}
