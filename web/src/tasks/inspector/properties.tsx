import type { FullTask } from '@daywright/contract'
import { Calendar, CalendarArrowUp, CircleDot, Flag, Folder, Tag, Timer } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { priorityNames, statusNames } from '../../data/actions/task-fields.ts'
import { useNow } from '../../time/clock.ts'
import { formatMinutes, formatWhen } from '../../time/format.ts'
import { useZone } from '../../time/zone.ts'
import { hue, Swatch } from '../../ui/badge.tsx'
import { PriorityMark } from '../../ui/priority-mark.tsx'
import { type Edit, type EditedField, FieldEditor } from '../fields/field-editor.tsx'
import { DueText } from '../list/due-text.tsx'
import { StatusMark } from '../status-mark.tsx'

const size = 14

/** The most used fields, each with its own picker. */
export function Properties({ task }: { task: FullTask }) {
  const [edit, setEdit] = useState<Edit>()
  const zone = useZone()
  const now = useNow()
  const place = task.project ?? task.space
  const property = (field: EditedField, name: string, icon: ReactNode, value: ReactNode) => (
    <div className="flex min-h-8 items-center gap-2">
      <dt className="flex w-[116px] flex-none items-center gap-2 text-xs text-ink-3">
        {icon}
        {name}
      </dt>
      <dd className="min-w-0 flex-1">
        <button
          type="button"
          className="-mx-1.5 flex min-h-7 w-full items-center gap-1.5 rounded-control px-1.5 text-left tabular hover:bg-hover"
          onClick={({ currentTarget }) => setEdit({ tasks: [task], field, anchor: currentTarget })}
        >
          <span className="sr-only">Change {name.toLowerCase()}: </span>
          {value || <span className="text-ink-3">None</span>}
        </button>
      </dd>
    </div>
  )
  return (
    <>
      <dl className="border-t px-4 py-2">
        {property(
          'status',
          'Status',
          <CircleDot size={size} aria-hidden="true" />,
          <>
            <StatusMark status={task.status} />
            {statusNames[task.status]}
          </>,
        )}
        {property(
          'priority',
          'Priority',
          <Flag size={size} aria-hidden="true" />,
          <>
            <PriorityMark priority={task.priority} />
            {priorityNames[task.priority]}
          </>,
        )}
        {property(
          'estimate',
          'Estimate',
          <Timer size={size} aria-hidden="true" />,
          task.estimateMinutes ? (
            formatMinutes(task.estimateMinutes)
          ) : (
            <span className="text-caution">Needs an estimate</span>
          ),
        )}
        {property(
          'dueAt',
          'Due',
          <Calendar size={size} aria-hidden="true" />,
          task.dueAt && <DueText task={task} now={now} zone={zone} />,
        )}
        {property(
          'startAfter',
          'Start after',
          <CalendarArrowUp size={size} aria-hidden="true" />,
          task.startAfter && formatWhen(task.startAfter, zone, now),
        )}
        {property(
          'place',
          'Space / project',
          <Folder size={size} aria-hidden="true" />,
          place ? (
            <>
              <Swatch color={place.color} isRound={task.project !== null} />
              <span className="truncate">
                {task.space && task.project ? `${task.space.name} / ` : ''}
                {place.name}
              </span>
            </>
          ) : (
            'Inbox'
          ),
        )}
        {property(
          'labels',
          'Labels',
          <Tag size={size} aria-hidden="true" />,
          task.labels.length > 0 && (
            <span className="flex flex-wrap gap-1 py-1">
              {task.labels.map(({ id, name, color }) => (
                <span key={id} className="hue task-tag" style={hue(color)}>
                  {name}
                </span>
              ))}
            </span>
          ),
        )}
      </dl>
      {edit && <FieldEditor {...edit} tasks={[task]} onClose={() => setEdit(undefined)} />}
    </>
  )
}
