import type { Task, TaskPriority, TaskStatus } from '@daywright/contract'
import {
  addLabel,
  estimate,
  moveTo,
  prioritise,
  priorityNames,
  removeLabel,
  setDate,
  setStatus,
  statusNames,
} from '../../../data/actions/task-fields.ts'
import { nameOf } from '../../../data/actions/change-tasks.ts'
import { perform } from '../../../data/run-mutation.ts'
import type { Action } from '../../../data/action.ts'
import { now } from '../../../time/clock.ts'
import { formatWhenInText } from '../../../time/format.ts'
import { useZone } from '../../../data/profile.ts'
import { type Zone } from '../../../time/zone.ts'
import { PriorityMark } from '../../../ui/priority-mark.tsx'
import { StatusMark } from '../status-mark.tsx'
import { Anchored } from './anchored.tsx'
import { DatePicker } from './date-picker.tsx'
import { EstimatePicker } from './estimate-picker.tsx'
import { LabelPicker } from './label-picker.tsx'
import { PickList } from './pick-list.tsx'
import { PlacePicker } from './place-picker.tsx'

export type EditedField =
  | 'priority'
  | 'status'
  | 'estimate'
  | 'dueAt'
  | 'startAfter'
  | 'place'
  | 'labels'

export type Edit = { tasks: Task[]; field: EditedField; anchor: HTMLElement }

const labels: Record<EditedField, string> = {
  priority: 'Priority',
  status: 'Status',
  estimate: 'Estimate',
  dueAt: 'Due',
  startAfter: 'Start after',
  place: 'Move to',
  labels: 'Labels',
}
const statuses: TaskStatus[] = ['backlog', 'todo', 'in_progress', 'completed', 'cancelled']
const priorities: TaskPriority[] = ['urgent', 'high', 'medium', 'low', 'none']
export const digits: Record<string, TaskPriority> = {
  1: 'urgent',
  2: 'high',
  3: 'medium',
  4: 'low',
  0: 'none',
}

/** Edits one field of one or several tasks in place. */
export function FieldEditor({ tasks, field, anchor, onClose }: Edit & { onClose: () => void }) {
  function submit(action: Action) {
    onClose()
    void perform(action)
  }
  return (
    <Anchored anchor={anchor} label={labels[field]} onClose={onClose}>
      <Picker tasks={tasks} field={field} submit={submit} />
    </Anchored>
  )
}

type PickerProps = Omit<Edit, 'anchor'> & { submit: (action: Action) => void }

function Picker({ tasks, field, submit }: PickerProps) {
  const [first] = tasks
  const zone = useZone()
  switch (field) {
    case 'priority':
      return (
        <PickList
          label="Priority"
          options={priorities.map((priority) => ({
            key: priority,
            name: priorityNames[priority],
            icon: <PriorityMark priority={priority} />,
            digit: Object.entries(digits).find(([, value]) => value === priority)?.[0] ?? '',
            isChosen: tasks.every((task) => task.priority === priority),
          }))}
          onPick={(key) => submit(prioritise(tasks, key as TaskPriority))}
        />
      )
    case 'status':
      return (
        <PickList
          label="Status"
          options={statuses.map((status) => ({
            key: status,
            name: statusNames[status],
            icon: <StatusMark status={status} />,
            isChosen: tasks.every((task) => task.status === status),
          }))}
          onPick={(key) => submit(setStatus(tasks, key as TaskStatus))}
        />
      )
    case 'estimate':
      return (
        <EstimatePicker
          value={first?.estimateMinutes ?? null}
          onPick={(minutes) => submit(estimate(tasks, minutes))}
        />
      )
    case 'dueAt':
    case 'startAfter':
      return (
        <DatePicker
          value={first?.[field] ?? null}
          minutes={field === 'dueAt' ? 17 * 60 : 0}
          onPick={(date) =>
            submit(setDate(tasks, field, date, dateMessage(tasks, field, date, zone)))
          }
        />
      )
    case 'place':
      return (
        <PlacePicker
          value={tasks.length === 1 ? first : undefined}
          onPick={(place) => submit(moveTo(tasks, place))}
        />
      )
    case 'labels':
      return (
        <LabelPicker
          value={first?.labels.filter(({ id }) => hasLabel(tasks, id)) ?? []}
          onToggle={(label, isOn) => submit((isOn ? addLabel : removeLabel)(tasks, label))}
        />
      )
  }
}

function dateMessage(tasks: Task[], field: 'dueAt' | 'startAfter', date: Date | null, zone: Zone) {
  const name = nameOf(tasks)
  const isDue = field === 'dueAt'
  if (!date) return isDue ? `${name}: no due date.` : `${name}: may start any time.`
  return `${name}: ${isDue ? 'due' : 'not before'} ${formatWhenInText(date, zone, now())}.`
}

const hasLabel = (tasks: Task[], id: string) =>
  tasks.every(({ labels: own }) => own.some((label) => label.id === id))
