import type { ListedTask } from '@daywright/contract'
import type { RefObject } from 'react'
import { useStable } from '../../ui/use-stable.ts'
import type { Grid } from './grid-place.ts'
import { TaskList } from './task-list.tsx'
import type { Period } from './use-period.ts'
import { createPlacing } from './placing.ts'
import type { useWeek } from './use-week.ts'

type Props = {
  period: Period
  week: ReturnType<typeof useWeek>
  grid: RefObject<Grid | null>
  onChanged: () => void
  /** Called after an attempt to place a task at the next free time. */
  onPlaced: () => void
  onOpenTask: (id: string) => void
}

/** The open tasks, to be dragged onto the grid or placed at the next free time. */
export function PlaceableTasks({ period, week, grid, onChanged, onPlaced, onOpenTask }: Props) {
  const placing = createPlacing(period, week, grid, onChanged)
  const take = useStable(placing.take)
  const placeNext = useStable((task: ListedTask) => {
    placing.placeNext(task)
    onPlaced()
  })
  const open = useStable((task: ListedTask) => onOpenTask(task.id))
  return (
    <TaskList
      tasks={week.tasks}
      planned={week.planned}
      zone={period.zone}
      onTake={take}
      onPlace={placeNext}
      onOpen={open}
    />
  )
}
