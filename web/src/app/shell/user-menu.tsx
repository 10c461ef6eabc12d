import { useNavigate } from '@tanstack/react-router'
import { LogOut, Moon, Sun, User, Users } from 'lucide-react'
import { signOut } from '../auth/session.ts'
import { useProfile } from '../../data/profile.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { isDark, setDevice, useDevice } from '../../ui/device.ts'

export default function UserMenu() {
  useDevice()
  const profile = useProfile()
  const navigate = useNavigate()
  const name = profile?.displayName || profile?.email || ''
  const trigger = (
    <button type="button" className="side-link">
      <span
        aria-hidden="true"
        className="grid size-5 flex-none place-content-center rounded-full bg-ink text-2xs font-semibold text-on-ink"
      >
        {name.slice(0, 1).toUpperCase()}
      </span>
      <span className="side-text">
        <span className="sr-only">Account of </span>
        {name}
      </span>
    </button>
  )
  return (
    <Menu trigger={trigger}>
      <MenuItem
        icon={<User size={15} />}
        onSelect={() => void navigate({ to: '/settings/profile' })}
      >
        Profile
      </MenuItem>
      {profile?.isAdmin && (
        <MenuItem icon={<Users size={15} />} onSelect={() => void navigate({ to: '/admin/users' })}>
          Users
        </MenuItem>
      )}
      <MenuItem
        icon={isDark() ? <Sun size={15} /> : <Moon size={15} />}
        onSelect={() => setDevice({ theme: isDark() ? 'light' : 'dark' })}
      >
        {isDark() ? 'Light' : 'Dark'} appearance
      </MenuItem>
      <MenuLine />
      <MenuItem icon={<LogOut size={15} />} onSelect={() => void signOut()}>
        Sign out
      </MenuItem>
    </Menu>
  )
}
