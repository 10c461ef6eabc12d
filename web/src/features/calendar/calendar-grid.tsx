import { lazy, type RefObject, Suspense, useState } from 'react'
import type { Place } from '../../data/actions/blocks.ts'
import { useHours } from '../../data/hours.ts'
import { useCommands } from '../../ui/commands/registry.ts'
import { blockCommands } from './block-commands.ts'
import { calendarCommands } from './calendar-commands.ts'
import { EmptyWeek } from './empty-week.tsx'
import type { Grid } from './grid-place.ts'
import { useBlockFocus } from './use-block-focus.ts'
import type { useEntries } from './use-entries.ts'
import { createGridPointer } from './grid-pointer.ts'
import type { Period } from './use-period.ts'
import type { usePlan } from './use-plan.ts'
import type { useWeek } from './use-week.ts'
import { WeekGrid } from './week-grid.tsx'

const CreateHere = lazy(() => import('./create-here.tsx'))

type Props = {
  period: Period
  /** The drawn days, which may lag behind those of the period. */
  days: Temporal.PlainDate[]
  week: ReturnType<typeof useWeek>
  plan: ReturnType<typeof usePlan>
  entries: ReturnType<typeof useEntries>
  grid: RefObject<Grid | null>
  toggleTasks: () => void
  onChanged: () => void
}

/** The grid with its blocks: selected, moved and created by pointer and keyboard. */
export function CalendarGrid(props: Props) {
  const { period, days, week, plan, grid, toggleTasks, onChanged } = props
  const { columns, entryOf } = props.entries
  const { search, set, zone } = period
  const hours = useHours(week.blocks, week.events)
  const [creating, setCreating] = useState<Place>()
  const focus = useBlockFocus(columns)
  const current = entryOf(focus.focused) ?? entryOf(search.block)
  const pointer = createGridPointer({
    grid,
    days,
    zone,
    entryOf,
    dueOf: (id) => week.byId.get(id ?? '')?.dueAt,
    onSelect: (block) => {
      set({ block })
      if (block) focus.focus(block)
    },
    onCreate: setCreating,
    onChanged,
  })
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

  return (
    <>
      <WeekGrid
        days={days}
        columns={columns}
        events={week.events}
        hours={hours}
        due={week.due}
        coming={week.coming}
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
    </>
  )
}
