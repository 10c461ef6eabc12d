import type { ListedTask } from '@daywright/contract'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type PointerEvent, useCallback, useEffect, useRef } from 'react'
import { statusNames } from '../../../data/actions/task-fields.ts'
import { formatHours } from '../../../time/format.ts'
import type { Zone } from '../../../time/zone.ts'
import { StatusMark } from '../status-mark.tsx'
import { CardFace, CardMenu } from './card.tsx'
import type { ColumnStatus } from './columns.ts'

type Props = {
  status: ColumnStatus
  tasks: ListedTask[]
  focusedId: string | undefined
  shownId: string | undefined
  draggedId: string | undefined
  isOver: boolean
  now: Date
  zone: Zone
  onOpen: (task: ListedTask) => void
  onFocus: (id: string) => void
  onPointerDown: (event: PointerEvent<HTMLElement>, task: ListedTask) => void
}

const cardHeight = 86

export function Column({ status, tasks, focusedId, ...props }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  // A new function would make the virtualizer measure all cards again.
  const keyAt = useCallback((index: number) => tasks[index]?.id ?? index, [tasks])
  const virtual = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => cardHeight,
    getItemKey: keyAt,
    overscan: 6,
  })
  const focusedAt = tasks.findIndex(({ id }) => id === focusedId)
  useEffect(() => {
    if (focusedAt >= 0) virtual.scrollToIndex(focusedAt, { align: 'auto' })
  }, [focusedAt, focusedId, virtual])
  const minutes = tasks.reduce((sum, { estimateMinutes }) => sum + (estimateMinutes ?? 0), 0)

  return (
    <section
      aria-label={statusNames[status]}
      data-column={status}
      className={`flex w-[272px] flex-none flex-col rounded-[10px] lg:w-auto lg:min-w-56 lg:flex-1 ${props.isOver ? 'bg-press' : 'bg-panel'}`}
    >
      <h2 className="flex h-10 flex-none items-center gap-2 px-3 font-semibold">
        <StatusMark status={status} />
        {statusNames[status]}
        <span className="font-normal text-ink-3 tabular">{tasks.length}</span>
        {status !== 'completed' && minutes > 0 && (
          <span className="ml-auto text-2xs font-normal text-ink-3 tabular">
            {formatHours(minutes)}
          </span>
        )}
      </h2>
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto px-2 pb-2">
        <ul className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const task = tasks[index]
            return (
              task && (
                <li
                  key={key}
                  className="absolute inset-x-0 top-0"
                  style={{ height: cardHeight - 6, transform: `translateY(${start}px)` }}
                >
                  <div
                    role="group"
                    aria-label={task.title}
                    aria-roledescription="card"
                    data-card={task.id}
                    data-shown={task.id === props.shownId || undefined}
                    tabIndex={task.id === focusedId ? 0 : -1}
                    className={`board-card ${task.id === props.draggedId ? 'opacity-40' : ''}`}
                    onClick={() => props.onOpen(task)}
                    onFocus={() => props.onFocus(task.id)}
                    onPointerDown={(event) => props.onPointerDown(event, task)}
                  >
                    <CardFace task={task} now={props.now} zone={props.zone} />
                    <div onClick={(event) => event.stopPropagation()}>
                      <CardMenu task={task} />
                    </div>
                  </div>
                </li>
              )
            )
          })}
        </ul>
        {tasks.length === 0 && (
          <p className="px-2 py-6 text-center text-xs text-ink-3">Drag a task here</p>
        )}
      </div>
    </section>
  )
}
