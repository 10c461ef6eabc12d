import type { Task } from '@daywright/contract'
import { Archive, Calendar, Check, Flag, FolderInput, Tag, Timer, Trash2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { deleteTasks, finishTasks } from '../../../data/actions/change-tasks.ts'
import { perform } from '../../../data/run-mutation.ts'
import type { Action } from '../../../data/action.ts'
import { tip } from '../../../ui/tip.ts'
import type { EditedField } from '../fields/field-editor.tsx'

type Props = {
  tasks: Task[]
  onEdit: (field: EditedField, anchor: HTMLElement) => void
  onClear: () => void
}

const size = 15
const edits: { field: EditedField; label: string; keys: string; icon: ReactNode }[] = [
  { field: 'priority', label: 'Priority', keys: '1', icon: <Flag size={size} /> },
  { field: 'estimate', label: 'Estimate', keys: 'e', icon: <Timer size={size} /> },
  { field: 'dueAt', label: 'Due date', keys: 'd', icon: <Calendar size={size} /> },
  { field: 'place', label: 'Move', keys: 'm', icon: <FolderInput size={size} /> },
  { field: 'labels', label: 'Label', keys: 'l', icon: <Tag size={size} /> },
]

/** Actions for all selected tasks. */
export function BatchBar({ tasks, onEdit, onClear }: Props) {
  function finish(action: Action) {
    onClear()
    void perform(action)
  }
  return (
    <div
      role="toolbar"
      aria-label={`${tasks.length} selected`}
      className="absolute inset-x-2 bottom-16 z-10 mx-auto flex w-fit max-w-[calc(100%-16px)] items-center gap-0.5 overflow-x-auto rounded-[10px] bg-ink p-1 text-on-ink shadow-float"
    >
      <span className="flex-none px-2 font-medium tabular">{tasks.length} selected</span>
      <BarButton
        label="Complete"
        keys="x"
        icon={<Check size={size} />}
        onClick={() => finish(finishTasks(tasks, 'complete'))}
      />
      {edits.map(({ field, ...look }) => (
        <BarButton key={field} {...look} onClick={(anchor) => onEdit(field, anchor)} />
      ))}
      <BarButton
        label="Archive"
        keys="a"
        icon={<Archive size={size} />}
        onClick={() => finish(finishTasks(tasks, 'archive'))}
      />
      <BarButton
        label="Delete"
        keys="delete"
        icon={<Trash2 size={size} />}
        onClick={() => finish(deleteTasks(tasks))}
      />
      <BarButton
        label="Clear the selection"
        keys="escape"
        icon={<X size={size} />}
        onClick={onClear}
      />
    </div>
  )
}

type ButtonProps = {
  label: string
  keys: string
  icon: ReactNode
  onClick: (anchor: HTMLElement) => void
}

const BarButton = ({ label, keys, icon, onClick }: ButtonProps) => (
  <button
    type="button"
    aria-label={label}
    className="grid size-8 flex-none place-content-center rounded-control hover:bg-[color-mix(in_oklab,var(--on-ink)_16%,transparent)] focus-visible:outline-[var(--on-ink)]"
    onClick={({ currentTarget }) => onClick(currentTarget)}
    {...tip(label, keys)}
  >
    {icon}
  </button>
)
