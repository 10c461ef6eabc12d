import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { queries } from '../../data/queries.ts'
import { setDevice, useDevice } from '../../ui/device.ts'
import { useFullWidth } from '../../ui/screen-width.ts'
import { Screen } from '../../ui/screen.tsx'
import { useAfterPaint } from '../../ui/use-after-paint.ts'
import { useMedia } from '../../ui/use-media.ts'
import { CalendarLegend } from '../calendars/calendar-legend.tsx'
import { CalendarGrid } from './calendar-grid.tsx'
import { CalendarActions, CalendarLead } from './calendar-header.tsx'
import { calendarPanel } from './calendar-panel.tsx'
import { useFindTime } from './find-time/use-find-time.tsx'
import type { Grid } from './grid-place.ts'
import { nameOf } from './period.ts'
import { PlaceableTasks } from './placeable-tasks.tsx'
import { useEntries } from './use-entries.ts'
import { usePeriod } from './use-period.ts'
import { usePlan } from './use-plan.ts'
import { useWeek } from './use-week.ts'

/** Days and weeks with the open tasks beside them. */
export function CalendarScreen() {
  const navigate = useNavigate()
  const period = usePeriod()
  const { search, set, zone, isNarrow } = period
  // The header and the selected block are updated at once. The grid and the panel follow after the paint.
  const days = useAfterPaint(period.days)
  const openedId = useAfterPaint(search.block)
  const week = useWeek(days, zone)
  const { data: status } = useQuery(queries.planner())
  const plan = usePlan(search.plan, (id) => set({ plan: id, block: undefined }))
  const entries = useEntries(week, plan.run, days, zone)
  const grid = useRef<Grid>(null)
  const tasks = useTaskListPlace(isNarrow)
  const isTight = useMedia('(width < 80rem)')

  const openTask = (id: string) => void navigate({ to: '/tasks/$id', params: { id } })
  // A change makes a shown preview outdated, so it is calculated again.
  const onChanged = () => plan.run?.state === 'preview' && void plan.preview()
  const findTime = useFindTime(period, onChanged)
  const list = (
    <>
      <PlaceableTasks
        {...{ period, week, grid, onChanged }}
        onPlaced={tasks.closePanel}
        onOpenTask={openTask}
      />
      <CalendarLegend />
    </>
  )
  const panel = calendarPanel({
    period,
    week,
    plan,
    opened: entries.entryOf(openedId),
    openedId,
    tasks: tasks.isInPanel && list,
    onCloseTasks: tasks.closePanel,
    onOpenTask: openTask,
  })
  useFullWidth(panel !== undefined || period.view === '2week' || isTight)

  return (
    <Screen
      title={nameOf(period.days, isNarrow)}
      lead={
        <CalendarLead
          week={period.days[0]?.weekOfYear ?? 0}
          isNarrow={isNarrow}
          onGo={period.goBy}
          onToday={() => period.goTo(period.today)}
        />
      }
      actions={
        <CalendarActions
          view={period.view}
          isNarrow={isNarrow}
          isBusy={plan.isBusy}
          waiting={status?.unscheduledTasks ?? 0}
          onView={(view) => set({ view })}
          onPlan={() => void plan.preview()}
          onPlanFromScratch={() => void plan.preview({ fromScratch: true })}
          onFindTime={findTime.open}
          onTasks={tasks.toggle}
        />
      }
      aside={tasks.isBeside && <TaskAside count={week.tasks.length}>{list}</TaskAside>}
      panel={panel}
    >
      <CalendarGrid
        {...{ period, days, week, plan, entries, grid, onChanged }}
        toggleTasks={tasks.toggle}
      />
      {findTime.dialog}
    </Screen>
  )
}

/** Where the task list is: on a phone in a panel, otherwise beside the grid until it is closed. */
function useTaskListPlace(isNarrow: boolean) {
  const { isTaskListClosed } = useDevice()
  const [isPanelOpen, setPanelOpen] = useState(false)
  return {
    isBeside: !isNarrow && !isTaskListClosed,
    isInPanel: isNarrow && isPanelOpen,
    toggle: () =>
      isNarrow ? setPanelOpen(!isPanelOpen) : setDevice({ isTaskListClosed: !isTaskListClosed }),
    closePanel: () => setPanelOpen(false),
  }
}

const TaskAside = ({ count, children }: { count: number; children: React.ReactNode }) => (
  <aside aria-label="Tasks" className="flex w-[264px] flex-none flex-col border-r bg-panel">
    <div className="flex h-12 flex-none items-center gap-2 px-4">
      <h2 className="font-semibold">Tasks</h2>
      <span className="text-ink-3 tabular">{count}</span>
    </div>
    {children}
  </aside>
)
