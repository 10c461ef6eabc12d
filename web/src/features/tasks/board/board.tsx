import { useZone } from '../../../data/profile.ts'
import type { ListedTask } from '@daywright/contract'
import { type KeyboardEvent, useMemo } from 'react'
import { useCommands } from '../../../ui/commands/registry.ts'
import { setStatus } from '../../../data/actions/task-fields.ts'
import { perform } from '../../../data/run-mutation.ts'
import { useNow } from '../../../time/clock.ts'
import type { Zone } from '../../../time/zone.ts'
import { neighbourOf, useBoardFocus } from './board-focus.ts'
import { CardFace } from './card.tsx'
import { type Drag, useCardDrag } from './card-drag.ts'
import { columnsOf, columnStatuses, type ColumnStatus } from './columns.ts'
import { Column } from './column.tsx'

type Props = {
  tasks: ListedTask[]
  shownId: string | undefined
  onOpen: (task: ListedTask) => void
}

const arrows = new Set(['ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowLeft'])

/** A column for each status. Cards are moved by dragging, with Alt and the arrow keys, or by menu. */
export function Board({ tasks, shownId, onOpen }: Props) {
  const columns = useMemo(() => columnsOf(tasks), [tasks])
  const { board, focused, setFocusedId, goTo, onBlur } = useBoardFocus(columns)
  const { drag, onPointerDown } = useCardDrag(move)
  const zone = useZone()
  const now = useNow()
  useBoardCommands(focused, goTo)

  function onKeyDown(event: KeyboardEvent) {
    if (!(event.target instanceof HTMLElement) || !event.target.dataset.card || !focused) return
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Enter') onOpen(focused)
    else if (arrows.has(event.key)) goTo(neighbourOf(columns, focused, event.key))
    else return
    event.preventDefault()
  }

  return (
    <div
      ref={board}
      className="flex min-h-0 flex-1 gap-2 overflow-x-auto p-2 md:p-3"
      onKeyDown={onKeyDown}
      onBlur={onBlur}
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
          onFocus={setFocusedId}
          onPointerDown={onPointerDown}
        />
      ))}
      {drag && <DraggedCard drag={drag} now={now} zone={zone} />}
    </div>
  )
}

function move(task: ListedTask, status: string) {
  if (task.status !== status) void perform(setStatus([task], status as ColumnStatus))
}

function useBoardCommands(focused: ListedTask | undefined, goTo: (task: ListedTask) => void) {
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
}

/** The card under the pointer during a drag. */
const DraggedCard = ({ drag, now, zone }: { drag: Drag; now: Date; zone: Zone }) => (
  <div
    className="board-card pointer-events-none fixed top-0 left-0 z-50 h-[72px] rotate-1 shadow-float"
    style={{
      width: drag.width,
      transform: `translate(${drag.x - drag.width / 2}px, ${drag.y - 20}px)`,
    }}
  >
    <CardFace task={drag.task} now={now} zone={zone} />
  </div>
)
