import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useOpenCounts } from '../../data/open-counts.ts'
import { queries } from '../../data/queries.ts'
import { Swatch } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Screen } from '../../ui/screen.tsx'
import { TaskBrowser } from './task-browser.tsx'

const route = getRouteApi('/app/spaces/$id')

/** A space: its projects, and its tasks as a list or a board. */
export function SpaceScreen() {
  const { id } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data: spaces, isPending } = useQuery(queries.spaces())
  const open = useOpenCounts()
  const space = spaces?.find((each) => each.id === id)
  if (!space) {
    return (
      <Screen title="Space">
        {!isPending && (
          <EmptyState title="This space no longer exists">
            It may have been deleted on another device.
          </EmptyState>
        )}
      </Screen>
    )
  }
  return (
    <TaskBrowser
      key={id}
      title={
        <span className="flex items-center gap-2">
          <Swatch color={space.color} />
          {space.name}
        </span>
      }
      lead={
        <nav
          aria-label="Projects"
          className="ml-3 flex min-w-0 gap-0.5 overflow-x-auto max-md:hidden"
        >
          {space.projects.map((project) => (
            <Link
              key={project.id}
              to="/projects/$id"
              params={{ id: project.id }}
              className="flex h-7 flex-none items-center gap-1.5 rounded-control px-2 text-ink-2 hover:bg-hover hover:text-ink"
            >
              <Swatch color={project.color} isRound />
              {project.name}
              <span className="text-xs text-ink-3 tabular">{open.get(project.id) ?? 0}</span>
            </Link>
          ))}
        </nav>
      }
      search={search}
      spaceId={id}
      onSearch={(changes, isReplace) =>
        void navigate({
          search: (before) =>
            Object.fromEntries(
              Object.entries({ ...before, ...changes }).filter(([, value]) => value !== undefined),
            ),
          replace: isReplace ?? false,
        })
      }
    />
  )
}
