import { useZone } from '../../data/profile.ts'
import type { CalendarEvent, ListedTask, ListedTimeBlock } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useCommands } from '../../ui/commands/registry.ts'
import { finishTasks } from '../../data/actions/change-tasks.ts'
import { perform } from '../../data/run-mutation.ts'
import { useHours } from '../../data/hours.ts'
import { queries } from '../../data/queries.ts'
import { choiceCommands } from '../blocks/block-choices.ts'
import { useMissed } from '../blocks/missed.ts'
import { comingWeeks } from '../tasks/list/planned.ts'
import { TaskPanel } from '../tasks/inspector/task-panel.tsx'
import '../tasks/tasks.css'
import { useNow } from '../../time/clock.ts'
import { formatDay } from '../../time/format.ts'
import { dayOf, startOfDay, type Zone } from '../../time/zone.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Screen } from '../../ui/screen.tsx'
import { useNarrow } from '../../ui/use-media.ts'
import { StaleCalendars } from '../calendars/calendar-notes.tsx'
import { useShownEvents } from '../calendars/shown-events.ts'
import { AtRisk } from './at-risk.tsx'
import { Capacity } from './capacity.tsx'
import { dayFrom, nextByTask } from './day.ts'
import { DayList } from './day-list.tsx'
import { DueToday } from './due-today.tsx'
import { NowCard } from './now-card.tsx'
import { Overnight } from './overnight.tsx'
import { Summary } from './summary.tsx'
import { Unfinished } from './unfinished.tsx'

const route = getRouteApi('/app/today')
const noBlocks: ListedTimeBlock[] = []
const noTasks: ListedTask[] = []

/** The day in order: current and coming blocks, and what needs a decision. */
export function TodayScreen() {
  const { task: shownId } = route.useSearch()
  const navigate = useNavigate()
  const isNarrow = useNarrow()
  const zone = useZone()
  const now = useNow()
  const { data: blocks = noBlocks, isPending } = useQuery(queries.blocks(...comingWeeks(now, zone)))
  const { data: tasks = noTasks } = useQuery(queries.openTasks())
  const time = now.getTime()
  const events = useEventsOfToday(now, zone)
  const hours = useHours(blocks, events.all)
  const day = useMemo(
    () => dayFrom({ blocks, tasks, hours, now: new Date(time), zone }),
    [blocks, tasks, hours, time, zone],
  )
  const missed = useMissed(blocks)
  const next = useMemo(() => nextByTask(blocks, new Date(time)), [blocks, time])
  const colors = useMemo(
    () => new Map(tasks.map(({ id, project, space }) => [id, (project ?? space)?.color ?? null])),
    [tasks],
  )
  const acting = day.current ?? day.next
  const actingTask = tasks.find(({ id }) => id === acting?.taskId)
  useCommands([
    ...choiceCommands(acting, zone, 'Today'),
    {
      id: 'today.complete',
      title: 'Complete its task',
      group: 'Today',
      keys: 'x',
      isDisabled: !actingTask,
      run: () => actingTask && void perform(finishTasks([actingTask], 'complete')),
    },
  ])

  function open(id: string | undefined) {
    if (id !== undefined && isNarrow) void navigate({ to: '/tasks/$id', params: { id } })
    else void navigate({ to: '/today', search: id === undefined ? {} : { task: id } })
  }

  return (
    <Screen
      title="Today"
      lead={<span className="text-ink-3">{formatDay(now, zone)}</span>}
      panel={shownId && <TaskPanel id={shownId} onClose={() => open(undefined)} />}
    >
      <div className="@container min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-5xl gap-x-10 gap-y-6 px-4 pt-5 pb-24 @3xl:grid-cols-[minmax(0,1fr)_17rem]">
          <div className="flex min-w-0 flex-col gap-6">
            <Summary day={day} />
            {day.current && (
              <NowCard
                block={day.current}
                color={colors.get(day.current.taskId ?? '')}
                onOpen={open}
              />
            )}
            <Unfinished blocks={missed} next={next} onOpen={open} />
            <Overnight blocks={blocks} onOpen={open} />
            <StaleCalendars />
            {(day.blocks.length > 0 || events.shown.length > 0) && (
              <DayList {...{ day, events, colors }} onOpen={open} />
            )}
            {day.blocks.length === 0 && !isPending && (
              <NothingPlanned hasTasks={tasks.length > 0} />
            )}
          </div>
          <div className="flex min-w-0 flex-col gap-6 @3xl:pt-1">
            <Capacity day={day} />
            <AtRisk tasks={tasks} onOpen={open} />
            <DueToday tasks={day.due} onOpen={open} />
          </div>
        </div>
      </div>
    </Screen>
  )
}

const noEvents: CalendarEvent[] = []

/** Today's events. Reads all coming weeks, so that a block moved to a later day avoids the events there. */
function useEventsOfToday(now: Date, zone: Zone) {
  const today = dayOf(now, zone).toString()
  const { data = noEvents } = useQuery(queries.calendarEvents(...comingWeeks(now, zone)))
  const all = useMemo(() => {
    const day = Temporal.PlainDate.from(today)
    const [from, to] = [startOfDay(day, zone), startOfDay(day.add({ days: 1 }), zone)]
    return data.filter(({ startAt, endAt }) => startAt < to && endAt > from)
  }, [data, today, zone])
  return { all, shown: useShownEvents(all) }
}

const NothingPlanned = ({ hasTasks }: { hasTasks: boolean }) => (
  <EmptyState
    title={hasTasks ? 'Nothing is planned today' : 'A clear day'}
    action={
      <Link to={hasTasks ? '/calendar' : '/tasks'} className="button button-plain">
        {hasTasks ? 'Plan on the calendar' : 'Add tasks'}
      </Link>
    }
  >
    {hasTasks
      ? 'Plan your next two weeks on the calendar, or keep the day free.'
      : 'Add a task with an estimate, and the planner finds time for it.'}
  </EmptyState>
)
