import { useZone } from '../../data/profile.ts'
import type { Notification } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bell, CheckCheck, Sunrise, TriangleAlert } from 'lucide-react'
import { useCommands } from '../../ui/commands/registry.ts'
import { askFor, markAllRead, markRead } from '../../data/actions/notifications.ts'
import { perform } from '../../data/run-mutation.ts'
import { queries } from '../../data/queries.ts'
import { useNow } from '../../time/clock.ts'
import { formatWhen } from '../../time/format.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Screen } from '../../ui/screen.tsx'
import { toast } from '../../data/toasts.ts'
import { TasksOf } from './tasks-of.tsx'

export function NotificationsScreen() {
  const { data } = useQuery(queries.notifications())
  const unread = data?.unreadCount ?? 0
  const readAll = () => void perform(markAllRead())
  async function ask(type: 'morning_summary' | 'at_risk', none: string) {
    const outcome = await perform(askFor(type))
    if (outcome.ok && outcome.answer.generated === 0) toast(none)
  }
  const summary = () => void ask('morning_summary', 'Today’s summary already exists.')
  const risks = () => void ask('at_risk', 'No new tasks at risk.')
  useCommands([
    {
      id: 'notifications.read',
      title: 'Mark all as read',
      group: 'Notifications',
      keys: 'shift+u',
      isDisabled: unread === 0,
      run: readAll,
    },
    {
      id: 'notifications.summary',
      title: 'Summarize my day',
      group: 'Notifications',
      run: summary,
    },
    { id: 'notifications.risks', title: 'What is at risk?', group: 'Notifications', run: risks },
  ])

  return (
    <Screen
      title="Notifications"
      lead={unread > 0 && <span className="text-ink-3 tabular">{unread} unread</span>}
      actions={
        <Button keys="shift+u" disabled={unread === 0} onClick={readAll}>
          <CheckCheck size={15} aria-hidden="true" /> Mark all as read
        </Button>
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto pb-20">
        <div className="flex flex-wrap gap-2 border-b bg-panel px-4 py-2">
          <Button look="quiet" onClick={summary}>
            <Sunrise size={15} aria-hidden="true" /> Summarize my day
          </Button>
          <Button look="quiet" onClick={risks}>
            <TriangleAlert size={15} aria-hidden="true" /> What is at risk?
          </Button>
        </div>
        {data?.notifications.length === 0 && (
          <EmptyState title="You’re all caught up">
            Summaries of your day and warnings about deadlines appear here when you ask for them.
          </EmptyState>
        )}
        <ul>
          {data?.notifications.map((notification) => (
            <Row key={notification.id} notification={notification} />
          ))}
        </ul>
        <p className="px-4 py-4 text-xs text-ink-3">
          To get them without asking, switch them on in the{' '}
          <Link to="/settings/planning" className="underline">
            planning settings
          </Link>
          .
        </p>
      </div>
    </Screen>
  )
}

const icons: Record<string, typeof Bell> = {
  morning_summary: Sunrise,
  at_risk_deadline: TriangleAlert,
}

function Row({ notification }: { notification: Notification }) {
  const zone = useZone()
  const now = useNow()
  const Icon = icons[notification.type] ?? Bell
  return (
    <li className={`flex gap-3 border-b px-4 py-3 ${notification.read ? '' : 'bg-panel'}`}>
      <Icon
        size={16}
        aria-hidden="true"
        className={`mt-0.5 flex-none ${notification.read ? 'text-ink-3' : 'text-ink'}`}
      />
      <div className="min-w-0 flex-1">
        <h2 className={notification.read ? 'text-ink-2' : 'font-semibold'}>
          {notification.title}
          {!notification.read && <span className="sr-only"> (unread)</span>}
        </h2>
        <p className="max-w-[70ch] whitespace-pre-line text-ink-2">{notification.body}</p>
        <TasksOf metadata={notification.metadata} />
      </div>
      <div className="flex flex-none flex-col items-end gap-1">
        <time
          dateTime={notification.createdAt.toISOString()}
          className="text-xs text-ink-3 tabular"
        >
          {formatWhen(notification.createdAt, zone, now)}
        </time>
        {!notification.read && (
          <Button look="quiet" onClick={() => void perform(markRead(notification))}>
            Mark as read
          </Button>
        )}
      </div>
    </li>
  )
}
