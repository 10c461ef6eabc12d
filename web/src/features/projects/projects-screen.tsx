import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useCommands } from '../../ui/commands/registry.ts'
import { queries } from '../../data/queries.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Screen } from '../../ui/screen.tsx'
import { NewProjectDialog } from './new-project-dialog.tsx'
import { ProjectRow } from './project-row.tsx'
import { statuses } from './project-statuses.ts'
import { useDoneOfAll, useWorkByProject } from './project-work.ts'

export function ProjectsScreen() {
  const { data: projects, isPending } = useQuery(queries.projects())
  const [isAdding, setAdding] = useState(false)
  const workOf = useWorkByProject()
  const doneOf = useDoneOfAll((projects ?? []).map(({ id }) => id))
  const add = () => setAdding(true)
  useCommands([
    { id: 'projects.add', title: 'New project', group: 'Projects', keys: 'n', run: add },
  ])

  return (
    <Screen
      title="Projects"
      lead={<span className="text-ink-3 tabular">{projects?.length}</span>}
      actions={
        <Button look="primary" keys="n" onClick={add}>
          <Plus size={15} aria-hidden="true" /> New
        </Button>
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto pb-20">
        {!isPending && projects?.length === 0 && (
          <EmptyState title="No projects yet" action={<Button onClick={add}>Create one</Button>}>
            A group of tasks and documents with a shared goal.
          </EmptyState>
        )}
        {statuses.map(({ value, label }) => {
          const ofStatus = (projects ?? []).filter(({ status }) => status === value)
          if (ofStatus.length === 0) return null
          return (
            <section key={value} aria-label={label}>
              <h2 className="sticky top-0 z-10 flex items-center gap-2 border-b bg-panel px-4 py-1.5 text-xs font-medium text-ink-2">
                {label} <span className="text-ink-3 tabular">{ofStatus.length}</span>
              </h2>
              <ul>
                {ofStatus.map((project) => (
                  <ProjectRow
                    key={project.id}
                    project={project}
                    work={workOf(project.id)}
                    done={doneOf.get(project.id) ?? 0}
                  />
                ))}
              </ul>
            </section>
          )
        })}
      </div>
      {isAdding && <NewProjectDialog onClose={() => setAdding(false)} />}
    </Screen>
  )
}
