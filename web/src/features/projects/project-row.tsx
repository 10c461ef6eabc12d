import { useZone } from '../../data/profile.ts'
import type { ListedProject } from '@daywright/contract'
import { Link } from '@tanstack/react-router'
import { formatDate, formatHours } from '../../time/format.ts'
import { Swatch } from '../../ui/badge.tsx'
import type { Work } from './project-work.ts'
import { ProgressBar } from './progress-bar.tsx'

type Props = { project: ListedProject; work: Work; done: number }

export function ProjectRow({ project, work, done }: Props) {
  const zone = useZone()
  const all = work.open + done
  return (
    <li className="relative flex min-h-12 items-center gap-3 border-b px-4 py-2 hover:bg-hover">
      <Swatch color={project.color} />
      <span className="min-w-0 flex-1">
        <Link
          to="/projects/$id"
          params={{ id: project.id }}
          className="block truncate font-medium after:absolute after:inset-0"
        >
          {project.name}
        </Link>
        <span className="block truncate text-xs text-ink-3">
          {[
            project.space?.name,
            `${work.open} open`,
            project._count.documents > 0 &&
              `${project._count.documents} ${project._count.documents === 1 ? 'document' : 'documents'}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      {project.targetDate && (
        <span className="hidden text-xs text-ink-2 tabular md:block">
          by {formatDate(project.targetDate, zone)}
        </span>
      )}
      <span className="hidden w-40 text-right text-xs text-ink-2 tabular md:block">
        {work.openMinutes > 0
          ? `${formatHours(work.plannedMinutes)} of ${formatHours(work.openMinutes)} planned`
          : ''}
      </span>
      <span className="flex w-24 flex-none flex-col gap-1">
        <ProgressBar
          label={`Progress of ${project.name}`}
          done={done}
          all={all}
          color={project.color}
        />
        <span aria-hidden="true" className="text-right text-2xs text-ink-3 tabular">
          {done} of {all}
        </span>
      </span>
    </li>
  )
}
