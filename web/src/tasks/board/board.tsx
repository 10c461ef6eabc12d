import type { ListedTask } from '@daywright/contract'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useCommands } from '../../commands/registry.ts'
import { setStatus } from '../../data/actions/task-fields.ts'
import { perform } from '../../data/perform.ts'
import { useNow } from '../../time/clock.ts'
import { useZone } from '../../time/zone.ts'
import { CardFace } from './card.tsx'
import { useCardDrag } from './card-drag.ts'
import { columnsOf, columnStatuses, type ColumnStatus } from './columns.ts'
import { Column } from './column.tsx'

type Props = {
  tasks: ListedTask[]
  shownId: string | undefined
  onOpen: (task: ListedTask) => void
}

/** A column for each status. Cards move by pointer, by Alt with the arrows, or by menu. */
export function Board({ tasks, shownId, onOpen }: Props) {
  const columns = useMemo(() => columnsOf(tasks), [tasks])
  const [chosen, setChosen] = useState<string>()
  const board = useRef<HTMLDivElement>(null)
  const wantsFocus = useRef(false)
  const zone = useZone()
  const now = useNow()
  const all = columnStatuses.flatMap((status) => columns[status])
  const focused = all.find(({ id }) => id === chosen) ?? all[0]

  const move = (task: ListedTask, status: string) => {
    if (task.status !== status) void perform(setStatus([task], status as ColumnStatus))
  }
  const { drag, onPointerDown } = useCardDrag(move)

  function goTo(task: ListedTask | undefined) {
    if (!task) return
    setChosen(task.id)
    wantsFocus.current = true
  }
  useEffect(() => {
    if (!wantsFocus.current || !focused) return
    const card = board.current?.querySelector<HTMLElement>(`[data-card="${focused.id}"]`)
    if (!card) return
    if (document.activeElement !== card) card.focus({ preventScroll: true })
    card.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })

  function moveFocused(by: number) {
    const at = columnStatuses.indexOf(focused?.status as ColumnStatus)
    const status = columnStatuses[at + by]
    if (!focused || !status) return
    goTo(focused)
    move(focused, status)
  }
  useCommands([
    ...(['left', 'right'] as const).map((side) => ({
      id: `board ${side}`,
      title: `Move the card ${side}`,
      group: 'Board',
      keys: `alt+${side}`,
      run: () => moveFocused(side === 'left' ? -1 : 1),
    })),
    {
      id: 'board complete',
      title: 'Complete or reopen',
      group: 'Board',
      keys: 'x',
      run: () => focused && move(focused, focused.status === 'completed' ? 'todo' : 'completed'),
    },
  ])

  function onKeyDown(event: KeyboardEvent) {
    if (!(event.target instanceof HTMLElement) || !event.target.dataset.card || !focused) return
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const column = columns[focused.status as ColumnStatus]
    const at = column.indexOf(focused)
    const side = columnStatuses.indexOf(focused.status as ColumnStatus)
    const beside = (by: number) => {
      const beyond =
        by > 0 ? columnStatuses.slice(side + 1) : columnStatuses.slice(0, side).toReversed()
      const other = beyond.map((status) => columns[status]).find(({ length }) => length > 0)
      return other?.[Math.min(at, other.length - 1)]
    }
    if (event.key === 'ArrowDown') goTo(column[at + 1])
    else if (event.key === 'ArrowUp') goTo(column[at - 1])
    else if (event.key === 'ArrowRight') goTo(beside(1))
    else if (event.key === 'ArrowLeft') goTo(beside(-1))
    else if (event.key === 'Enter') onOpen(focused)
    else return
    event.preventDefault()
  }

  return (
    <div
      ref={board}
      className="flex min-h-0 flex-1 gap-2 overflow-x-auto p-2 md:p-3"
      onKeyDown={onKeyDown}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget) wantsFocus.current = false
      }}
    >
      {columnStatuses.map((status) => (
        <Column
          key={status}
          status={status}
          tasks={columns[status]}
          focusedId={focused?.id}
          shownId={shownId}
          draggedId={drag?.task.id}
          isOver={drag?.over === status && drag.task.status !== status}
          now={now}
          zone={zone}
          onOpen={onOpen}
          onFocus={setChosen}
          onPointerDown={onPointerDown}
        />
      ))}
      {drag && (
        <div
          className="board-card pointer-events-none fixed top-0 left-0 z-50 h-[72px] rotate-1 shadow-float"
          style={{
            width: drag.width,
            transform: `translate(${drag.x - drag.width / 2}px, ${drag.y - 20}px)`,
          }}
        >
          <CardFace task={drag.task} now={now} zone={zone} />
        </div>
      )}
    </div>
  )
}
