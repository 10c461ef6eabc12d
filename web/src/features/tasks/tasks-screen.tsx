import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { queries } from '../../data/queries.ts'
import { TaskBrowser } from './task-browser.tsx'

const route = getRouteApi('/app/tasks')

export function TasksScreen() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data: spaces = [] } = useQuery(queries.spaces())
  const { data: labels = [] } = useQuery(queries.labels())
  const { data: projects = [] } = useQuery(queries.projects())
  const nameOf = (all: { id: string; name: string }[], id: string | undefined) =>
    all.find((each) => each.id === id)?.name
  const title =
    search.project === 'none' && !search.space
      ? 'Inbox'
      : (nameOf(projects, search.project) ??
        nameOf(spaces, search.space) ??
        nameOf(labels, search.label) ??
        'Tasks')
  return (
    <TaskBrowser
      title={title}
      search={search}
      onSearch={(changes, isReplace) =>
        void navigate({
          search: (before) => clean({ ...before, ...changes }),
          replace: isReplace ?? false,
        })
      }
    />
  )
}

const clean = <Search extends object>(search: Search) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Search
