import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useOpenCounts } from '../../data/open-counts.ts'
import { queries } from '../../data/queries.ts'
import { Swatch } from '../../ui/badge.tsx'
import { tip } from '../../ui/tip.ts'

/** Each space with its projects and the number of open tasks. */
export function SideSpaces() {
  const { data: spaces = [] } = useQuery(queries.spaces())
  const open = useOpenCounts()
  return (
    <section aria-label="Spaces" className="contents">
      <div className="mt-4 mb-1 flex items-center px-2 group-data-closed:mx-auto group-data-closed:my-2 group-data-closed:h-px group-data-closed:w-5 group-data-closed:bg-line">
        <h2 className="flex-1 text-2xs font-medium text-ink-3 group-data-closed:hidden">Spaces</h2>
        <Link
          to="/settings/spaces"
          aria-label="Add or change spaces"
          className="button-quiet grid size-6 place-content-center rounded-control group-data-closed:hidden"
          {...tip('Add or change spaces')}
        >
          <Plus size={14} aria-hidden="true" />
        </Link>
      </div>
      {spaces.map((space) => (
        <div key={space.id} className="contents">
          <Link
            to="/spaces/$id"
            params={{ id: space.id }}
            className="side-link"
            {...tip(space.name)}
          >
            <span className="grid size-4 place-content-center">
              <Swatch color={space.color} />
            </span>
            <span className="side-text">{space.name}</span>
            <span className="side-count">{open.get(space.id)}</span>
          </Link>
          {space.projects.map((project) => (
            <Link
              key={project.id}
              to="/projects/$id"
              params={{ id: project.id }}
              className="side-link pl-[38px] group-data-closed:hidden"
            >
              <span className="side-text text-ink-2">{project.name}</span>
              <span className="side-count">{open.get(project.id)}</span>
            </Link>
          ))}
        </div>
      ))}
    </section>
  )
}
