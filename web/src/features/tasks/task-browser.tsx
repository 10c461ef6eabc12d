import { useZone } from '../../data/profile.ts'
import type { ListedTask } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useDeferredValue, useMemo } from 'react'
import { queries } from '../../data/queries.ts'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { useNow } from '../../time/clock.ts'
import { Screen } from '../../ui/screen.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { useNarrow } from '../../ui/use-media.ts'
import { Board } from './board/board.tsx'
import { FilterBar } from './filter-bar.tsx'
import { filterOf, isBeyondOpen } from './filter.ts'
import { groupTasks } from './groups.ts'
import { TaskPanel } from './inspector/task-panel.tsx'
import { ListSkeleton } from './list/list-skeleton.tsx'
import { NoTasks } from './list/no-tasks.tsx'
import { TaskList } from './list/task-list.tsx'
import { InlineAdd } from './quick-add/inline-add.tsx'
import type { Changes, TasksSearch } from './search.ts'

type Props = {
  title: ReactNode
  lead?: ReactNode
  search: TasksSearch
  /** Set by the path, so it is not a filter that can be removed. */
  spaceId?: string
  /** Undefined removes a filter; with `isReplace` there is no new history entry. */
  onSearch: (changes: Changes, isReplace?: boolean) => void
}
const none: ListedTask[] = []

/** Tasks as a list or a board, with filters above and the open task beside. */
export function TaskBrowser({ title, lead, search, spaceId, onSearch }: Props) {
  const navigate = useNavigate()
  const isNarrow = useNarrow()
  const filters = useMemo(
    () => (spaceId === undefined ? search : { ...search, space: spaceId }),
    [search, spaceId],
  )
  const isWhole = isBeyondOpen(filters)
  const opened = useQuery({ ...queries.openTasks(), enabled: !isWhole })
  const every = useQuery({ ...queries.allTasks(), enabled: isWhole })
  const { data: tasks, error } = isWhole ? every : opened
  const isBoard = filters.view === 'board'
  const found = useDeferredValue(filters.find ?? '')
  const shown = useMemo(() => {
    const status = isBoard ? (filters.status ?? 'all') : filters.status
    const { find: _find, status: _status, ...rest } = filters
    return (tasks ?? none).filter(
      filterOf({ ...rest, find: found, ...(status !== undefined && { status }) }),
    )
  }, [tasks, filters, found, isBoard])
  const open = (task: ListedTask) => {
    if (isNarrow) void navigate({ to: '/tasks/$id', params: { id: task.id } })
    else onSearch({ task: task.id }, search.task !== undefined)
  }
  const close = () => onSearch({ task: undefined })

  return (
    <Screen
      title={title}
      lead={
        <>
          <span className="text-ink-3 tabular">{tasks && shown.length}</span>
          {lead}
        </>
      }
      actions={
        <SegmentedControl
          label="View"
          value={isBoard ? 'board' : 'list'}
          options={[
            { value: 'list', label: 'List' },
            { value: 'board', label: 'Board' },
          ]}
          onChange={(view) => onSearch({ view: view === 'board' ? 'board' : undefined })}
        />
      }
      panel={search.task && <TaskPanel id={search.task} onClose={close} />}
    >
      <FilterBar search={filters} hasSpaces={spaceId === undefined} onSearch={onSearch} />
      <InlineAdd
        key={`${filters.space} ${filters.project} ${filters.label}`}
        defaults={defaultsOf(filters)}
      />
      {!tasks && error ? (
        <NotLoaded what="list" error={error} />
      ) : !tasks ? (
        <ListSkeleton />
      ) : isBoard ? (
        <Board tasks={shown} shownId={search.task} onOpen={open} />
      ) : shown.length === 0 ? (
        <NoTasks search={search} hasTasks={tasks.length > 0} onSearch={onSearch} />
      ) : (
        <Listed tasks={shown} search={search} onOpen={open} />
      )}
    </Screen>
  )
}

type ListedProps = {
  tasks: ListedTask[]
  search: TasksSearch
  onOpen: (task: ListedTask) => void
}

function Listed({ tasks, search, onOpen }: ListedProps) {
  const zone = useZone()
  const minute = Math.floor(useNow().getTime() / 60_000)
  const { group = 'due', sort = 'due' } = search
  const groups = useMemo(
    () => groupTasks(tasks, { group, sort, now: new Date(minute * 60_000), zone }),
    [tasks, group, sort, minute, zone],
  )
  return <TaskList label="Tasks" groups={groups} shownId={search.task} onOpen={onOpen} />
}

/** A task added here gets the values of the filters. */
const defaultsOf = ({ space, project, label }: TasksSearch) => ({
  ...(space !== undefined && { spaceId: space }),
  ...(project !== undefined && project !== 'none' && { projectId: project }),
  ...(label !== undefined && { labelIds: [label] }),
})
