import { useZone } from '../../../data/profile.ts'
import type { Webhook } from '@daywright/contract'
import { useState } from 'react'
import { deleteWebhook, enableWebhook, rotateSecret } from '../../../data/actions/webhooks.ts'
import { perform } from '../../../data/run-mutation.ts'
import { useNow } from '../../../time/clock.ts'
import { formatWhenInText } from '../../../time/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmButton } from '../confirm-button.tsx'
import { Deliveries } from './deliveries.tsx'

type Props = { webhook: Webhook; onSecret: (secret: string) => void }

export function WebhookRow({ webhook, onSecret }: Props) {
  const [isOpen, setOpen] = useState(false)

  async function rotate() {
    const outcome = await perform(rotateSecret(webhook))
    if (outcome.ok) onSecret(outcome.answer.secret)
  }

  return (
    <li className="border-b py-3">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 truncate font-medium">{webhook.url}</p>
        <State webhook={webhook} />
      </div>
      <p className="text-xs text-ink-3">
        {webhook.types === null ? 'Everything' : webhook.types.join(', ')}
        {webhook.createdBy?.kind === 'key' && ` · created with the key “${webhook.createdBy.name}”`}
      </p>
      {webhook.disabledReason && (
        <p className="mt-1 text-xs text-signal-ink">{webhook.disabledReason}</p>
      )}
      <div className="mt-2 flex flex-wrap gap-1.5">
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Deliveries
        </Button>
        <Button onClick={() => void perform(enableWebhook(webhook, !webhook.enabled))}>
          {webhook.enabled ? 'Pause' : 'Enable'}
        </Button>
        <Button onClick={() => void rotate()}>New secret</Button>
        <ConfirmButton
          label={`Delete the webhook to ${webhook.url}`}
          question="Delete permanently?"
          onConfirm={() => void perform(deleteWebhook(webhook))}
        >
          Delete
        </ConfirmButton>
      </div>
      {isOpen && <Deliveries webhook={webhook} />}
    </li>
  )
}

function State({ webhook }: { webhook: Webhook }) {
  const zone = useZone()
  const now = useNow()
  if (!webhook.enabled) return <Badge tone="signal">paused</Badge>
  if (webhook.attempts === 0) return <Badge tone="good">delivering</Badge>
  const next = webhook.nextAttemptAt && formatWhenInText(webhook.nextAttemptAt, zone, now)
  return (
    <Badge tone="caution">
      failed {webhook.attempts === 1 ? 'once' : `${webhook.attempts} times`}
      {next && `, next attempt ${next}`}
    </Badge>
  )
}
