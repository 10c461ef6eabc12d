import type { ListedTask } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { useCommands } from '../commands/registry.ts'
import type { Place } from '../data/actions/blocks.ts'
import { useOpenWindows } from '../data/preferences.ts'
import { queries } from '../data/queries.ts'
import { setDevice, useDevice } from '../shell/device.ts'
import { useFullWidth } from '../shell/room.ts'
import { Panel, Screen } from '../ui/screen.tsx'
import { useAfterPaint } from '../ui/use-after-paint.ts'
import { useMedia } from '../ui/use-media.ts'
import { useStable } from '../ui/use-stable.ts'
import { calendarCommands } from './calendar-commands.ts'
import { CalendarActions, CalendarLead } from './calendar-header.tsx'
import { EmptyWeek } from './empty-week.tsx'
import { columnsOf, entriesOf } from './entries.ts'
import type { Grid } from './grid-place.ts'
import { Inspector } from './inspector.tsx'
import { nameOf } from './period.ts'
import { PlanPanel } from './plan-panel.tsx'
import { TaskList } from './task-list.tsx'
import { blockCommands } from './block-commands.ts'
import { useBlockFocus } from './use-block-focus.ts'
import { useGridPointer } from './use-grid-pointer.ts'
import { usePeriod } from './use-period.ts'
import { usePlacing } from './use-placing.ts'
import { usePlan } from './use-plan.ts'
import { useWeek } from './use-week.ts'
import { WeekGrid } from './week-grid.tsx'

const CreateHere = lazy(() => import('./create-here.tsx'))

/** Days and weeks with the open tasks beside them. */
export function CalendarScreen() {
  const navigate = useNavigate()
  const period = usePeriod()
  const { search, set, zone, isNarrow } = period
  const device = useDevice()
  const windows = useOpenWindows()
  // The header and the block are updated at once; hundreds of blocks and the panel follow.
  const days = useAfterPaint(period.days)
  const openedId = useAfterPaint(search.block)
  const week = useWeek(days, zone)
  const { data: status } = useQuery(queries.planner())
  const plan = usePlan(search.plan, (id) => set({ plan: id, block: undefined }))
  const [creating, setCreating] = useState<Place>()
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const grid = useRef<Grid>(null)

  const entries = useMemo(
    () => entriesOf(week.blocks, week.byId, plan.run),
    [week.blocks, week.byId, plan.run],
  )
  const columns = useMemo(() => columnsOf(entries, days, zone), [entries, days, zone])
  const entryOf = (id: string | undefined) => entries.find((entry) => entry.id === id)
  const focus = useBlockFocus(columns)
  const selected = entryOf(search.block)
  const opened = entryOf(openedId)
  const current = entryOf(focus.focused) ?? selected

  const openTask = (id: string) => void navigate({ to: '/tasks/$id', params: { id } })
  // The preview is based on an outdated calendar.
  const previewAgain = () => plan.run?.state === 'preview' && void plan.preview()
  const placing = usePlacing(period, week, grid, previewAgain)
  const pointer = useGridPointer({
    grid,
    days,
    zone,
    entryOf,
    onSelect: (block) => {
      set({ block })
      if (block) focus.focus(block)
    },
    onCreate: setCreating,
    onChanged: previewAgain,
  })
  const toggleTasks = () =>
    isNarrow
      ? setDrawerOpen(!isDrawerOpen)
      : setDevice({ isTaskListClosed: !device.isTaskListClosed })

  useCommands([
    ...blockCommands({
      entry: current,
      task: week.byId.get(current?.block?.taskId ?? ''),
      zone,
      onOpen: (block) => set({ block }),
      onMoved: (id, startAt) => {
        focus.focusLater(id)
        period.reveal(startAt)
      },
    }),
    ...calendarCommands({ period, plan, toggleTasks }),
  ])

  const take = useStable(placing.take)
  const placeNext = useStable((task: ListedTask) => {
    placing.placeNext(task)
    setDrawerOpen(false)
  })
  const openFromList = useStable((task: ListedTask) => openTask(task.id))
  const list = (
    <TaskList
      tasks={week.tasks}
      planned={week.planned}
      zone={zone}
      onTake={take}
      onPlace={placeNext}
      onOpen={openFromList}
    />
  )
  const panel = opened?.block ? (
    <Inspector
      key={opened.id}
      entry={opened}
      task={week.byId.get(opened.block.taskId ?? '')}
      plannedMinutes={week.planned.get(opened.block.taskId ?? '') ?? 0}
      zone={zone}
      onClose={() => set({ block: undefined })}
      onOpenTask={openTask}
    />
  ) : plan.run ? (
    <PlanPanel
      run={plan.run}
      tasks={week.byId}
      zone={zone}
      isBusy={plan.isBusy}
      onApply={() => void plan.apply()}
      onUndo={() => void plan.undo()}
      onClose={() => set({ plan: undefined })}
      onGoTo={period.reveal}
      onOpenTask={openTask}
    />
  ) : isNarrow && isDrawerOpen ? (
    <Panel label="Tasks" title="Tasks" onClose={() => setDrawerOpen(false)}>
      {list}
    </Panel>
  ) : undefined
  const isTight = useMedia('(width < 80rem)')
  useFullWidth(panel !== undefined || period.view === '2week' || isTight)

  return (
    <Screen
      title={nameOf(period.days)}
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
          onTasks={toggleTasks}
        />
      }
      aside={
        !isNarrow &&
        !device.isTaskListClosed && (
          <aside aria-label="Tasks" className="flex w-[264px] flex-none flex-col border-r bg-panel">
            <div className="flex h-12 flex-none items-center gap-2 px-4">
              <h2 className="font-semibold">Tasks</h2>
              <span className="text-ink-3 tabular">{week.tasks.length}</span>
            </div>
            {list}
          </aside>
        )
      }
      panel={panel}
    >
      <WeekGrid
        days={days}
        columns={columns}
        windows={windows}
        due={week.due}
        zone={zone}
        selected={search.block}
        tabStop={current?.id ?? columns.flat()[0]?.item.id}
        gridRef={grid}
        onOpenDay={(day) => set({ w: day.toString(), view: 'day' })}
        onKeyDown={focus.onKeyDown}
        {...pointer}
      />
      {!week.isPending && columns.every((column) => column.length === 0) && (
        <EmptyWeek
          hasTasks={week.tasks.length > 0}
          upcoming={week.upcoming}
          zone={zone}
          onGoTo={period.reveal}
        />
      )}
      {creating && (
        <Suspense>
          <CreateHere place={creating} zone={zone} onClose={() => setCreating(undefined)} />
        </Suspense>
      )}
    </Screen>
  )
}
