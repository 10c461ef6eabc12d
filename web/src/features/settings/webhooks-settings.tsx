import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../data/queries.ts'
import { Button } from '../../ui/button.tsx'
import { NewWebhookForm } from './webhooks/new-webhook-form.tsx'
import { WebhookRow } from './webhooks/webhook-row.tsx'
import { SettingsHead } from './settings-head.tsx'
import { ShownOnce } from './shown-once.tsx'

export function WebhookSettings() {
  const { data: webhooks, isError } = useQuery(queries.webhooks())
  const [secret, setSecret] = useState<{ title: string; value: string }>()
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <SettingsHead title="Webhooks">
        Send every change to your URL: signed, in order, with retries.
      </SettingsHead>
      {secret && (
        <ShownOnce
          key={secret.value}
          title={secret.title}
          secret={secret.value}
          onDone={() => setSecret(undefined)}
        />
      )}
      {isAdding ? (
        <NewWebhookForm
          onCancel={() => setAdding(false)}
          onMade={(made) => {
            setSecret({ title: 'The signing secret', value: made.secret })
            setAdding(false)
          }}
        />
      ) : (
        <Button look="primary" onClick={() => setAdding(true)}>
          New webhook
        </Button>
      )}
      {isError && <p className="mt-4 text-signal-ink">The webhooks could not be loaded.</p>}
      {webhooks?.length === 0 && <p className="mt-6 text-ink-3">No webhooks yet.</p>}
      <ul className="mt-4">
        {webhooks?.map((webhook) => (
          <WebhookRow
            key={webhook.id}
            webhook={webhook}
            onSecret={(value) => setSecret({ title: 'The new signing secret', value })}
          />
        ))}
      </ul>
    </>
  )
}
