import { lazy, type ReactNode, Suspense } from 'react'
import { Panel } from '../../ui/screen.tsx'
import type { Entry } from './entries.ts'
import { Inspector } from './inspector.tsx'
import type { Period } from './use-period.ts'
import type { usePlan } from './use-plan.ts'
import type { useWeek } from './use-week.ts'

const PlanPanel = lazy(() => import('./plan-panel.tsx'))

type Options = {
  period: Period
  week: ReturnType<typeof useWeek>
  plan: ReturnType<typeof usePlan>
  opened: Entry | undefined
  /** The id with which the block was opened; it may be provisional. */
  openedId: string | undefined
  /** The task list, while it is open as a panel. */
  tasks: ReactNode
  onCloseTasks: () => void
  onOpenTask: (id: string) => void
}

/** The panel beside the grid: the opened block, or else the shown plan, or else the task list. */
export function calendarPanel(options: Options) {
  const { period, week, plan, opened, openedId, tasks, onCloseTasks, onOpenTask } = options
  const { set, zone } = period
  if (opened?.block) {
    return (
      <Inspector
        key={openedId}
        entry={opened}
        task={week.byId.get(opened.block.taskId ?? '')}
        plannedMinutes={week.planned.get(opened.block.taskId ?? '') ?? 0}
        events={week.events}
        zone={zone}
        onClose={() => set({ block: undefined })}
        onOpenTask={onOpenTask}
      />
    )
  }
  if (plan.run) {
    return (
      <Suspense>
        <PlanPanel
          run={plan.run}
          tasks={week.byId}
          zone={zone}
          isBusy={plan.isBusy}
          onApply={() => void plan.apply()}
          onUndo={() => void plan.undo()}
          onClose={() => set({ plan: undefined })}
          onGoTo={period.reveal}
          onOpenTask={onOpenTask}
        />
      </Suspense>
    )
  }
  if (!tasks) return undefined
  return (
    <Panel label="Tasks" title="Tasks" onClose={onCloseTasks}>
      {tasks}
    </Panel>
  )
}
