import { useZone } from '../../../data/profile.ts'
import type { Webhook } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { redeliver } from '../../../data/actions/webhooks.ts'
import { perform } from '../../../data/run-mutation.ts'
import { queries } from '../../../data/queries.ts'
import { useNow } from '../../../time/clock.ts'
import { formatWhen } from '../../../time/format.ts'
import { IconButton } from '../../../ui/button.tsx'

const everyMs = 5000

/** The last delivery attempts, newest first. A successful one can be sent again, with all later events. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { data: deliveries, isPending } = useQuery({
    ...queries.deliveries(webhook.id),
    // Delivery attempts send no live events, so the page polls for them.
    refetchInterval: everyMs,
    staleTime: 0,
  })
  const zone = useZone()
  const now = useNow()
  if (isPending) return null
  if (!deliveries?.length) return <p className="mt-3 text-ink-3">Nothing has been sent yet.</p>
  return (
    <div
      className="mt-3 max-h-72 overflow-auto"
      role="region"
      aria-label={`Deliveries to ${webhook.url}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      <table className="w-full text-left text-xs tabular">
        <thead className="text-ink-3">
          <tr>
            <th className="py-1 font-medium">Event</th>
            <th className="font-medium">When</th>
            <th className="font-medium">Response</th>
            <th className="font-medium">Duration</th>
            <th>
              <span className="sr-only">Resend</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <tr key={delivery.id} className="border-t">
              <td className="py-1 pr-3">
                {delivery.type}
                {delivery.attempt > 1 && ` (attempt ${delivery.attempt})`}
              </td>
              <td className="pr-3">{formatWhen(delivery.at, zone, now)}</td>
              <td className={`pr-3 ${isFine(delivery.status) ? 'text-good' : 'text-signal-ink'}`}>
                {delivery.status ?? delivery.error ?? 'none'}
              </td>
              <td className="pr-3">{delivery.durationMs} ms</td>
              <td className="text-right">
                {/* Failed deliveries are retried automatically. */}
                {isFine(delivery.status) && (
                  <IconButton
                    label={`Send ${delivery.type} and all later events again`}
                    icon={<RotateCw size={13} />}
                    onClick={() => void perform(redeliver(webhook, delivery))}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const isFine = (status: number | null) => status !== null && status >= 200 && status < 300
