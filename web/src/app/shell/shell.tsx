import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useSignedOut } from '../auth/signed-out.ts'
import { useCommands } from '../../ui/commands/registry.ts'
import { followEvents } from '../../data/event-sync.ts'
import { redoLast, undoLast } from '../../data/undo.ts'
import { BottomTabs } from './bottom-tabs.tsx'
import { device, isDark, setDevice } from '../../ui/device.ts'
import { EarlyKeys } from '../../ui/early-keys.tsx'
import { OfflineBar } from './offline-bar.tsx'
import { Side } from './side.tsx'
import { UnreadBar } from './unread-bar.tsx'

const SignInAgain = lazy(() => import('../auth/sign-in-again.tsx'))
const openPalette = () => import('../commands/palette.tsx')
const openQuickAdd = () => import('../../features/tasks/quick-add.tsx')
const Palette = lazy(openPalette)
const ShortcutSheet = lazy(() => import('../commands/shortcut-sheet.tsx'))
const QuickAdd = lazy(openQuickAdd)

type Open = 'palette' | 'shortcuts' | 'quick add' | undefined

/** The navigation beside the screen, and the dialogs that are available on every screen. */
export function Shell() {
  const [open, setOpen] = useState<Open>()
  const typed = useRef('')
  const readTyped = useCallback(() => typed.current, [])
  const close = () => {
    typed.current = ''
    setOpen(undefined)
  }
  const isSignedOut = useSignedOut()
  useEffect(() => (isSignedOut ? undefined : followEvents()), [isSignedOut])
  useShellCommands(setOpen)
  useEffect(() => {
    // Preload the dialogs before they are needed, but after everything else.
    // Without a connection this fails, and they are loaded when they are opened.
    const load = () => void Promise.allSettled([openPalette(), openQuickAdd()])
    const timer = setTimeout(load, 2500)
    return () => clearTimeout(timer)
  }, [])
  const path = useRouterState({ select: ({ location }) => location.pathname })

  return (
    <div className="flex h-full flex-col">
      <a
        href="#main"
        className="absolute top-1 left-1 z-50 -translate-y-20 rounded-control bg-ink px-3 py-1.5 text-on-ink focus:translate-y-0"
      >
        Skip to content
      </a>
      <OfflineBar />
      <UnreadBar />
      <div className="flex min-h-0 flex-1">
        <Side onSearch={() => setOpen('palette')} onAdd={() => setOpen('quick add')} />
        <Suspense key={path.split('/')[1]}>
          <Outlet />
        </Suspense>
      </div>
      <BottomTabs onAdd={() => setOpen('quick add')} />
      <Suspense
        fallback={
          <Opening>
            {open === 'quick add' && <EarlyKeys onType={(text) => (typed.current = text)} />}
          </Opening>
        }
      >
        {isSignedOut && <SignInAgain />}
        {open === 'palette' && <Palette onClose={close} />}
        {open === 'shortcuts' && <ShortcutSheet onClose={close} />}
        {open === 'quick add' && <QuickAdd typed={readTyped} onClose={close} />}
      </Suspense>
    </div>
  )
}

/** Marks an opening dialog, so that typing does not reach the page below: see commands/keys.ts. */
const Opening = ({ children }: { children: ReactNode }) => (
  <div role="dialog" aria-label="Opening" className="sr-only">
    {children}
  </div>
)

function useShellCommands(setOpen: (open: Open) => void) {
  const navigate = useNavigate()
  const go = (to: string) => () => void navigate({ to })
  const places: [string, string, string][] = [
    ['Today', 'g t', '/today'],
    ['Calendar', 'g c', '/calendar'],
    ['Tasks', 'g k', '/tasks'],
    ['Projects', 'g p', '/projects'],
    ['Documents', 'g d', '/documents'],
    ['Insight', 'g i', '/insight'],
    ['Notifications', 'g n', '/notifications'],
    ['Settings', 'g s', '/settings/profile'],
  ]
  useCommands([
    {
      id: 'palette',
      title: 'Find a command',
      group: 'General',
      keys: 'mod+k',
      isKeyOnly: true,
      run: () => setOpen('palette'),
    },
    {
      id: 'quick-add',
      title: 'Add a task',
      group: 'General',
      keys: 'q',
      words: 'new create',
      run: () => setOpen('quick add'),
    },
    { id: 'undo', title: 'Undo', group: 'General', keys: 'mod+z', run: () => void undoLast() },
    {
      id: 'redo',
      title: 'Redo',
      group: 'General',
      keys: 'mod+shift+z',
      run: () => void redoLast(),
    },
    {
      id: 'shortcuts',
      title: 'Show all shortcuts',
      group: 'General',
      keys: '?',
      words: 'keys keyboard help',
      run: () => setOpen('shortcuts'),
    },
    {
      id: 'theme',
      title: 'Switch between light and dark',
      group: 'General',
      words: 'theme night mode',
      run: () => setDevice({ theme: isDark() ? 'light' : 'dark' }),
    },
    {
      id: 'side',
      title: 'Show or hide the navigation',
      group: 'General',
      keys: '[',
      run: () => setDevice({ isSideClosed: !device().isSideClosed }),
    },
    ...places.map(([title, keys, to]) => ({
      id: `go ${to}`,
      title: `Go to ${title.toLowerCase()}`,
      group: 'Go to',
      keys,
      run: go(to),
    })),
  ])
}
