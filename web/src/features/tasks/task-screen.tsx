import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useCanGoBack, useRouter } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { queries } from '../../data/queries.ts'
import { IconButton } from '../../ui/button.tsx'
import { Screen } from '../../ui/screen.tsx'
import { TaskInspector } from './inspector/task-inspector.tsx'

const route = getRouteApi('/app/tasks/$id')

/** A task on its own page: by its URL, or on a phone. */
export function TaskScreen() {
  const { id } = route.useParams()
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const { data: task } = useQuery(queries.task(id))
  const leave = () =>
    canGoBack ? router.history.back() : void router.navigate({ to: '/tasks', search: {} })
  return (
    <Screen
      title={
        <span className="flex items-center gap-1">
          <IconButton
            label="Back"
            icon={<ArrowLeft size={16} />}
            className="-ml-1.5"
            onClick={leave}
          />
          <span className="truncate">{task?.project?.name ?? task?.space?.name ?? 'Task'}</span>
        </span>
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <TaskInspector key={id} id={id} isWide onGone={leave} />
      </div>
    </Screen>
  )
}
