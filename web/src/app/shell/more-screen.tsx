import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { signOut } from '../auth/session.ts'
import { queries } from '../../data/queries.ts'
import { useProfile } from '../../data/profile.ts'
import { Swatch } from '../../ui/badge.tsx'
import { Screen } from '../../ui/screen.tsx'
import { isDark, setDevice, useDevice } from '../../ui/device.ts'

const places = [
  ['/documents', 'Documents'],
  ['/insight', 'Insight'],
  ['/notifications', 'Notifications'],
  ['/archive', 'Archive'],
  ['/settings/profile', 'Settings'],
] as const

const row = 'flex min-h-11 w-full items-center gap-2 border-b px-4 text-left text-base'

/** The content of the side navigation, for a phone. */
export function MoreScreen() {
  useDevice()
  const { data: spaces = [] } = useQuery(queries.spaces())
  const profile = useProfile()
  return (
    <Screen title="More">
      <div className="overflow-y-auto pb-20">
        {places.map(([to, label]) => (
          <Link key={to} to={to} className={row}>
            {label}
          </Link>
        ))}
        {profile?.isAdmin && (
          <Link to="/admin/users" className={row}>
            Users
          </Link>
        )}
        <h2 className="px-4 pt-5 pb-1.5 text-xs font-medium text-ink-3">Spaces</h2>
        {spaces.map((space) => (
          <Link key={space.id} to="/spaces/$id" params={{ id: space.id }} className={row}>
            <Swatch color={space.color} />
            {space.name}
          </Link>
        ))}
        <h2 className="px-4 pt-5 pb-1.5 text-xs font-medium text-ink-3">{profile?.email}</h2>
        <button
          type="button"
          className={row}
          onClick={() => setDevice({ theme: isDark() ? 'light' : 'dark' })}
        >
          {isDark() ? 'Light' : 'Dark'} appearance
        </button>
        <button type="button" className={row} onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
    </Screen>
  )
}
