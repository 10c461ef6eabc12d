import type { ListedTask } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { queries } from '../../data/queries.ts'
import { type Edit, type EditedField, FieldEditor } from '../tasks/fields/field-editor.tsx'

type Props = { tasks: ListedTask[]; onOpen: (taskId: string) => void }

/** Tasks that the last plan could not fit in time, with suggestions. */
export function AtRisk({ tasks, onOpen }: Props) {
  const [edit, setEdit] = useState<Edit>()
  const { data: runs } = useQuery(queries.runs())
  const last = runs?.runs.find(({ state }) => state === 'applied')
  const { data: run } = useQuery({ ...queries.run(last?.id ?? ''), enabled: last !== undefined })
  const known = new Map(tasks.map((task) => [task.id, task]))
  const risks = [...(run?.atRisk ?? []), ...(run?.unscheduled ?? [])].flatMap(
    ({ taskId, text }) => {
      const task = known.get(taskId)
      if (!task) return []
      // The reason from that plan may be outdated.
      const isOlder = run !== undefined && task.updatedAt > run.plannedAt
      return [
        { task, text: isOlder ? 'Changed since the last plan. Plan again to update this.' : text },
      ]
    },
  )
  if (risks.length === 0) return undefined
  const wayOut = (task: ListedTask, field: EditedField, words: string) => (
    <button
      type="button"
      className="task-chip"
      aria-label={`${words}: ${task.title}`}
      onClick={({ currentTarget }) => setEdit({ tasks: [task], field, anchor: currentTarget })}
    >
      {words}
    </button>
  )
  return (
    <section aria-label="At risk">
      <h2 className="mb-1 flex items-center gap-1.5 text-xs font-semibold text-caution">
        <TriangleAlert size={13} aria-hidden="true" />
        At risk
        <span className="font-normal text-ink-3 tabular">{risks.length}</span>
      </h2>
      <ul className="flex flex-col gap-2.5">
        {risks.map(({ task, text }) => (
          <li key={task.id}>
            <button
              type="button"
              className="line-clamp-2 max-w-full text-left font-medium wrap-anywhere hover:underline"
              onClick={() => onOpen(task.id)}
            >
              {task.title}
            </button>
            <p className="mb-1 text-xs text-ink-3">{text}</p>
            <div className="flex flex-wrap gap-1">
              {wayOut(task, 'dueAt', 'Extend due date')}
              {wayOut(task, 'estimate', 'Shorten')}
            </div>
          </li>
        ))}
      </ul>
      {edit && <FieldEditor {...edit} onClose={() => setEdit(undefined)} />}
    </section>
  )
}
