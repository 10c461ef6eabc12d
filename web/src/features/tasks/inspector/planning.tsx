import type { FullTask } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changeTasks } from '../../../data/actions/change-tasks.ts'
import type { TaskChanges } from '../../../data/actions/change-tasks.ts'
import { fieldErrors, perform } from '../../../data/run-mutation.ts'
import { queries } from '../../../data/queries.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Options, SelectField, TextField } from '../../../ui/field.tsx'

type Changes = Pick<
  TaskChanges,
  | 'autoSchedule'
  | 'autoSplit'
  | 'locked'
  | 'schedulePreferenceId'
  | 'minSessionMinutes'
  | 'maxSessionMinutes'
  | 'cooldownMinutes'
>

/** How the planner may schedule the task, and in what sessions. */
export function Planning({ task }: { task: FullTask }) {
  const { data: preferences = [] } = useQuery(queries.preferences())
  const [errors, setErrors] = useState<ReturnType<typeof fieldErrors>>({})

  async function change(changes: Changes) {
    const shown = changes as Partial<FullTask>
    const outcome = await perform(changeTasks([task], () => ({ changes, shown })))
    setErrors(outcome.ok ? {} : fieldErrors(outcome.error))
  }
  const minutes = (field: 'minSessionMinutes' | 'maxSessionMinutes' | 'cooldownMinutes') => ({
    type: 'number',
    min: field === 'cooldownMinutes' ? 0 : 1,
    key: `${field} ${task[field]}`,
    defaultValue: task[field],
    error: errors[field],
    onBlur: ({ target }: { target: HTMLInputElement }) => {
      const value = Number(target.value)
      if (target.value !== '' && value !== task[field]) void change({ [field]: value })
    },
  })
  const { key: minKey, ...min } = minutes('minSessionMinutes')
  const { key: maxKey, ...max } = minutes('maxSessionMinutes')
  const { key: restKey, ...rest } = minutes('cooldownMinutes')

  return (
    <div className="flex flex-col gap-3">
      <Checkbox
        label="Schedule automatically"
        checked={task.autoSchedule}
        onChange={({ target }) => void change({ autoSchedule: target.checked })}
      />
      <Checkbox
        label="Can be split into sessions"
        checked={task.autoSplit}
        onChange={({ target }) => void change({ autoSplit: target.checked })}
      />
      <div>
        <Checkbox
          label="Freeze"
          checked={task.locked}
          onChange={({ target }) => void change({ locked: target.checked })}
        />
        <p className="mt-0.5 pl-6 text-xs text-ink-3">
          While it is frozen, the planner leaves its blocks as they are.
        </p>
      </div>
      <SelectField
        label="Schedule"
        value={task.schedulePreferenceId ?? ''}
        onChange={({ target }) => void change({ schedulePreferenceId: target.value || null })}
      >
        <option value="">Default hours</option>
        <Options of={preferences} />
      </SelectField>
      <div className="grid grid-cols-3 gap-2">
        <TextField key={minKey} label="Shortest (min)" {...min} />
        <TextField key={maxKey} label="Longest (min)" {...max} />
        <TextField key={restKey} label="Break (min)" {...rest} />
      </div>
    </div>
  )
}
