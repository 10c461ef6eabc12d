import { useZone } from '../../../data/profile.ts'
import type { Event, FullTask } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { api } from '../../../data/api.ts'
import { keys } from '../../../data/keys.ts'
import { perform } from '../../../data/run-mutation.ts'
import type { Action } from '../../../data/action.ts'
import { queries } from '../../../data/queries.ts'
import { useNow } from '../../../time/clock.ts'
import { formatWhen } from '../../../time/format.ts'
import { IconButton } from '../../../ui/button.tsx'
import { changesIn, type Names } from './describe-change.ts'
import { Quiet } from './section.tsx'

const actors: Record<Event['actor']['kind'], string> = {
  person: 'You',
  planner: 'The planner',
  system: 'Daywright',
  key: 'An API key',
  admin: 'An admin',
  calendar: 'Your calendar',
}

const whole: Record<string, string> = {
  'task.created': 'Created',
  'task.deleted': 'Deleted',
  'documentLink.created': 'Document linked',
  'documentLink.deleted': 'Document unlinked',
  'dependency.created': 'Blocked by another task',
  'dependency.deleted': 'No longer blocked',
}

/** The history of a task, newest first. Each update can be reverted. */
export function Past({ task }: { task: FullTask }) {
  const zone = useZone()
  const now = useNow()
  const names = useNames()
  const history = queries.history(task.id)
  const { data, isPending } = useQuery({
    ...history,
    // The time of the last change is part of the key, because every change adds to the history.
    queryKey: [...keys.history(task.id), task.updatedAt.getTime()] as never,
    staleTime: 0,
  })
  if (isPending) return <Quiet>Loading…</Quiet>
  const events = (data?.events ?? []).filter(
    (event) => event.type in whole || changesIn(event, names, zone).length > 0,
  )
  if (events.length === 0) return <Quiet>Nothing has been recorded.</Quiet>
  return (
    <ol className="flex flex-col gap-2">
      {events.map((event, index) => (
        <li key={event.id} className="group flex items-start gap-2">
          <div className="min-w-0 flex-1">
            {whole[event.type] ? (
              <p>{whole[event.type]}</p>
            ) : (
              changesIn(event, names, zone).map(({ field, words }) => (
                <p key={field} className="break-words">
                  {words}
                </p>
              ))
            )}
            <p className="text-xs text-ink-3 tabular">
              {actors[event.actor.kind]} · {formatWhen(event.at, zone, now)}
            </p>
          </div>
          {event.type === 'task.updated' && (
            <IconButton
              label={index === 0 ? 'Revert this change' : 'Revert only this change'}
              className="on-hover"
              icon={<Undo2 size={14} />}
              onClick={() => void perform(revertEvent(task, event))}
            />
          )}
        </li>
      ))}
    </ol>
  )
}

const revertEvent = (task: FullTask, event: Event): Action => ({
  says: 'Reverted.',
  send: () => api.history.revert(event.id),
  refreshes: [keys.task(task.id), keys.tasks, keys.blocks, keys.planner],
  onRefused: ({ status }) =>
    status === 409 ? 'It has been changed again since. Revert the later change first.' : undefined,
})

function useNames(): Names {
  const { data: spaces = [] } = useQuery(queries.spaces())
  const { data: projects = [] } = useQuery(queries.projects())
  const { data: labels = [] } = useQuery(queries.labels())
  const { data: preferences = [] } = useQuery(queries.preferences())
  return new Map(
    [...spaces, ...projects, ...labels, ...preferences].map(({ id, name }) => [id, name]),
  )
}
