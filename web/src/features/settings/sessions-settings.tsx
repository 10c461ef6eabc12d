import { useZone } from '../../data/profile.ts'
import type { Session } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { endOtherSessions, endSession } from '../../data/actions/access.ts'
import { api } from '../../data/api.ts'
import { perform } from '../../data/run-mutation.ts'
import { queries } from '../../data/queries.ts'
import { useNow } from '../../time/clock.ts'
import { formatWhenInText } from '../../time/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { browserOf } from './browser-name.ts'
import { SettingsHead } from './settings-head.tsx'

export function SessionSettings() {
  const { data: sessions = [] } = useQuery(queries.sessions())
  const { data: current } = useQuery({
    // Not under the key `sessions`, because the data cached there is a list.
    queryKey: ['currentSession'],
    staleTime: 0,
    queryFn: async () => (await api.auth.session())?.session.id ?? null,
  })
  const ordered = sessions.toSorted(
    (one, other) =>
      Number(other.id === current) - Number(one.id === current) ||
      other.createdAt.getTime() - one.createdAt.getTime(),
  )
  return (
    <>
      <SettingsHead title="Sessions">Where you are signed in.</SettingsHead>
      <ul className="mb-5">
        {ordered.map((session) => (
          <Row key={session.id} session={session} isHere={session.id === current} />
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button
          look="danger"
          disabled={current === undefined}
          onClick={() => void perform(endOtherSessions(current ?? undefined))}
        >
          Sign out everywhere else
        </Button>
      )}
    </>
  )
}

function Row({ session, isHere }: { session: Session; isHere: boolean }) {
  const zone = useZone()
  const now = useNow()
  const browser = browserOf(session.userAgent)
  const Icon = browser.isPhone ? Smartphone : Monitor
  return (
    <li className="flex items-center gap-3 border-b py-2.5">
      <Icon size={18} className="flex-none text-ink-3" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{browser.name}</p>
        <p className="text-xs text-ink-3 tabular">
          Since {formatWhenInText(session.createdAt, zone, now)}
          {typeof session.ipAddress === 'string' &&
            session.ipAddress !== '' &&
            ` · ${session.ipAddress}`}
        </p>
      </div>
      {isHere ? (
        <Badge tone="good">This browser</Badge>
      ) : (
        <Button onClick={() => void perform(endSession(session))}>Sign out</Button>
      )}
    </li>
  )
}
