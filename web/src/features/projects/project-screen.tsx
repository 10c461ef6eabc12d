import type { FullProject } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { queries } from '../../data/queries.ts'
import { perform } from '../../data/run-mutation.ts'
import { restoreProject, updateProject } from '../../data/actions/projects.ts'
import { Button } from '../../ui/button.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { Screen } from '../../ui/screen.tsx'
import { ProjectDocuments } from './project-documents.tsx'
import { ProjectFacts } from './project-facts.tsx'
import { ProjectHours } from './project-hours.tsx'
import { ProjectMenu } from './project-menu.tsx'
import { statuses, type Status } from './project-statuses.ts'
import { ProjectTasks } from './project-tasks.tsx'

const route = getRouteApi('/app/projects/$id')

export function ProjectScreen() {
  const { id } = route.useParams()
  const { data: project, error } = useQuery(queries.project(id))
  if (project) return <Opened key={id} project={project} />
  return (
    <Screen title="Project">
      {error && (
        <NotLoaded what="project" error={error} action={<Link to="/projects">All projects</Link>} />
      )}
    </Screen>
  )
}

function Opened({ project }: { project: FullProject }) {
  return (
    <Screen
      title={
        <>
          <Link to="/projects" className="text-ink-2 hover:text-ink">
            Projects
          </Link>
          <span className="sr-only">: {project.name}</span>
        </>
      }
      actions={
        <>
          <StatusSelect project={project} />
          <ProjectMenu project={project} />
        </>
      }
    >
      {project.archived && (
        <div
          role="status"
          className="flex flex-none items-center gap-3 border-b bg-sunken px-4 py-2"
        >
          <span className="flex-1">This project is archived.</span>
          <Button onClick={() => void perform(restoreProject(project))}>Restore</Button>
        </div>
      )}
      <div className="min-h-0 flex-1 overflow-y-auto pb-20">
        <div className="mx-auto grid max-w-[1120px] gap-x-12 gap-y-8 px-4 py-6 md:px-8 lg:grid-cols-[minmax(0,1fr)_320px]">
          <div className="flex min-w-0 flex-col gap-8">
            <ProjectFacts project={project} />
            <ProjectTasks project={project} />
          </div>
          <div className="flex min-w-0 flex-col gap-8">
            <ProjectHours project={project} />
            <ProjectDocuments project={project} />
          </div>
        </div>
      </div>
    </Screen>
  )
}

function StatusSelect({ project }: { project: FullProject }) {
  return (
    <select
      aria-label="Status"
      className="input w-auto"
      value={project.status}
      onChange={({ target }) => {
        const label = statuses.find(({ value }) => value === target.value)?.label ?? ''
        const changes = { status: target.value as Status }
        void perform(updateProject(project, changes, `“${project.name}”: ${label.toLowerCase()}.`))
      }}
    >
      {statuses.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
      {project.status === 'archived' && <option value="archived">Archived</option>}
    </select>
  )
}
