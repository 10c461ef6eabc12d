import { useZone } from '../../../data/profile.ts'
import type { FullTask } from '@daywright/contract'
import {
  Calendar,
  CalendarArrowUp,
  CircleDot,
  Flag,
  Folder,
  type LucideIcon,
  Tag,
  Timer,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { priorityNames, statusNames } from '../../../data/actions/task-fields.ts'
import { useNow } from '../../../time/clock.ts'
import { formatMinutes, formatWhen } from '../../../time/format.ts'
import { hue, Swatch } from '../../../ui/badge.tsx'
import { PriorityMark } from '../../../ui/priority-mark.tsx'
import { type Edit, type EditedField, FieldEditor } from '../fields/field-editor.tsx'
import { DueText } from '../list/due-text.tsx'
import { useRepeat } from '../../recurrences/use-repeat.tsx'
import { StatusMark } from '../status-mark.tsx'
import { PropertyRow } from './property-row.tsx'

/** The most used fields, each with its own picker. */
export function Properties({ task }: { task: FullTask }) {
  const [edit, setEdit] = useState<Edit>()
  const zone = useZone()
  const now = useNow()
  const repeat = useRepeat(task)
  const openEditor = (field: EditedField, anchor: HTMLElement) =>
    setEdit({ tasks: [task], field, anchor })
  return (
    <>
      <dl className="border-t px-4 py-2">
        <Property field="status" name="Status" Icon={CircleDot} onEdit={openEditor}>
          <StatusMark status={task.status} />
          {statusNames[task.status]}
        </Property>
        <Property field="priority" name="Priority" Icon={Flag} onEdit={openEditor}>
          <PriorityMark priority={task.priority} />
          {priorityNames[task.priority]}
        </Property>
        <Property field="estimate" name="Estimate" Icon={Timer} onEdit={openEditor}>
          {task.estimateMinutes ? (
            formatMinutes(task.estimateMinutes)
          ) : (
            <span className="text-caution">Needs an estimate</span>
          )}
        </Property>
        <Property field="dueAt" name="Due" Icon={Calendar} onEdit={openEditor}>
          {task.dueAt && <DueText task={task} now={now} zone={zone} />}
        </Property>
        <Property field="startAfter" name="Start after" Icon={CalendarArrowUp} onEdit={openEditor}>
          {task.startAfter && formatWhen(task.startAfter, zone, now)}
        </Property>
        {task.parentTaskId === null && repeat.row}
        <Property field="place" name="Space / project" Icon={Folder} onEdit={openEditor}>
          <PlaceName task={task} />
        </Property>
        <Property field="labels" name="Labels" Icon={Tag} onEdit={openEditor}>
          {task.labels.length > 0 && <Labels labels={task.labels} />}
        </Property>
      </dl>
      {repeat.dialogs}
      {edit && <FieldEditor {...edit} tasks={[task]} onClose={() => setEdit(undefined)} />}
    </>
  )
}

type PropertyProps = {
  field: EditedField
  name: string
  Icon: LucideIcon
  onEdit: (field: EditedField, anchor: HTMLElement) => void
  children: ReactNode
}

const Property = ({ field, onEdit, ...row }: PropertyProps) => (
  <PropertyRow {...row} onOpen={(anchor) => onEdit(field, anchor)} />
)

function PlaceName({ task }: { task: FullTask }) {
  const place = task.project ?? task.space
  if (!place) return 'Inbox'
  return (
    <>
      <Swatch color={place.color} isRound={task.project !== null} />
      <span className="truncate">
        {task.space && task.project ? `${task.space.name} / ` : ''}
        {place.name}
      </span>
    </>
  )
}

const Labels = ({ labels }: Pick<FullTask, 'labels'>) => (
  <span className="flex flex-wrap gap-1 py-1">
    {labels.map(({ id, name, color }) => (
      <span key={id} className="hue task-tag" style={hue(color)}>
        {name}
      </span>
    ))}
  </span>
)
