import type { FullPlannerRun, ListedTask } from '@daywright/contract'
import { CalendarX2, CircleCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { estimate } from '../../data/actions/task-fields.ts'
import { perform } from '../../data/run-mutation.ts'
import { formatMinutes } from '../../time/format.ts'
import type { Zone } from '../../time/zone.ts'
import { Swatch } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/screen.tsx'
import { colorOf, type Tasks } from './entries.ts'
import { PlanChanges } from './plan-changes.tsx'

type Props = {
  run: FullPlannerRun
  tasks: Tasks
  zone: Zone
  isBusy: boolean
  onApply: () => void
  onUndo: () => void
  onClose: () => void
  onGoTo: (date: Date) => void
  onOpenTask: (id: string) => void
}

/** What a plan would do or has done: first what needs a decision, then every change. */
export default function PlanPanel(props: Props) {
  const { run, tasks, zone, isBusy, onApply, onUndo, onClose, onGoTo, onOpenTask } = props
  const isPreview = run.state === 'preview'
  const { unchanged, moved, added, removed } = run.blocks
  const isSame = moved.length + added.length + removed.length === 0
  const unestimated = (run.needsEstimate ?? []).filter(
    ({ taskId }) => tasks.has(taskId) && !tasks.get(taskId)?.estimateMinutes,
  )
  const isFine = run.atRisk.length + run.unscheduled.length === 0
  return (
    <Panel
      isSheet
      label="Plan"
      title={isPreview ? 'Preview of the plan' : 'The plan'}
      onClose={onClose}
    >
      <div className="border-b px-4 py-3">
        <dl className="grid grid-cols-4 gap-2">
          <Count name="unchanged" value={unchanged.length} />
          <Count name="moved" value={moved.length} />
          <Count name="new" value={added.length} />
          <Count name="removed" value={removed.length} />
        </dl>
        <p className="mt-2 text-xs text-ink-3">
          {isSame
            ? 'Nothing to change. Your plan is up to date.'
            : 'Blocks that you placed or locked stay where they are.'}
        </p>
        <div className="mt-3 flex gap-2">
          {isPreview && !isSame && (
            <Button look="primary" keys="shift+enter" disabled={isBusy} onClick={onApply}>
              {isBusy ? 'Applying…' : 'Apply plan'}
            </Button>
          )}
          {isPreview && (
            <Button disabled={isBusy} onClick={onClose}>
              {isSame ? 'Close' : 'Discard'}
            </Button>
          )}
          {run.state === 'applied' && (
            <Button disabled={isBusy} onClick={onUndo}>
              Undo this plan
            </Button>
          )}
        </div>
      </div>

      {isFine && (
        <p className="flex items-center gap-2 px-4 pt-4 text-good">
          <CircleCheck size={16} aria-hidden="true" />
          {unestimated.length > 0
            ? 'Everything with an estimate fits and is on time.'
            : 'Everything fits and is on time.'}
        </p>
      )}
      <Reasons
        title="At risk"
        tone="text-signal-ink"
        icon={<TriangleAlert size={15} aria-hidden="true" />}
        reasons={run.atRisk}
        {...{ tasks, onOpenTask }}
      />
      <Reasons
        title="Does not fit"
        tone="text-caution"
        icon={<CalendarX2 size={15} aria-hidden="true" />}
        reasons={run.unscheduled}
        {...{ tasks, onOpenTask }}
      />
      <NeedsEstimate
        tasks={unestimated.flatMap(({ taskId }) => tasks.get(taskId) ?? [])}
        onOpenTask={onOpenTask}
      />
      <PlanChanges blocks={run.blocks} {...{ tasks, zone, onGoTo }} />
    </Panel>
  )
}

const usual = [15, 30, 60, 90]

/** Tasks that the plan left out because they have no estimate, each with the usual lengths to choose from. */
function NeedsEstimate({
  tasks,
  onOpenTask,
}: {
  tasks: ListedTask[]
  onOpenTask: (id: string) => void
}) {
  if (tasks.length === 0) return null
  return (
    <section className="px-4 pt-4" aria-label="Tasks without an estimate">
      <h3 className="font-medium">
        Tasks without an estimate <span className="text-ink-3 tabular">{tasks.length}</span>
      </h3>
      <p className="mt-0.5 text-xs text-ink-2">
        Left out of this plan. Estimate them, then plan again.
      </p>
      <ul className="mt-1">
        {tasks.map((task) => (
          <li key={task.id} className="border-b py-2 last:border-b-0">
            <TaskName task={task} onOpen={onOpenTask} />
            <div
              role="group"
              aria-label={`How long “${task.title}” takes`}
              className="mt-1 flex gap-1 pl-4"
            >
              {usual.map((minutes) => (
                <Button key={minutes} onClick={() => void perform(estimate([task], minutes))}>
                  {formatMinutes(minutes)}
                </Button>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Count = ({ name, value }: { name: string; value: number }) => (
  <div className="flex flex-col-reverse">
    <dt className="text-xs text-ink-3">{name}</dt>
    <dd className="text-lg font-semibold tabular">{value}</dd>
  </div>
)

type Reason = { taskId: string; text: string; proof: string | null; minutes?: number }

type ReasonsProps = {
  title: string
  tone: string
  icon: ReactNode
  reasons: Reason[]
  tasks: Tasks
  onOpenTask: (id: string) => void
}

function Reasons({ title, tone, icon, reasons, tasks, onOpenTask }: ReasonsProps) {
  if (reasons.length === 0) return null
  return (
    <section className="px-4 pt-4">
      <h3 className={`flex items-center gap-2 font-medium ${tone}`}>
        {icon}
        {title}
        <span className="text-ink-3 tabular">{reasons.length}</span>
      </h3>
      <ul className="mt-1">
        {reasons.map((reason) => (
          <li key={reason.taskId} className="border-b py-2.5 last:border-b-0">
            <TaskName task={tasks.get(reason.taskId)} onOpen={onOpenTask} />
            <p className="mt-0.5 text-xs text-ink-2">
              {reason.minutes !== undefined && `${formatMinutes(reason.minutes)} doesn’t fit. `}
              {reason.text}
            </p>
            {reason.proof && !reason.text.includes(reason.proof.replace(/\.$/, '')) && (
              <p className="mt-1 text-xs text-ink-3">{reason.proof}</p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function TaskName({
  task,
  onOpen,
}: {
  task: ListedTask | undefined
  onOpen: (id: string) => void
}) {
  if (!task) return <span className="text-ink-2">A task</span>
  return (
    <button
      type="button"
      className="flex w-full items-center gap-2 text-left font-medium hover:underline"
      onClick={() => onOpen(task.id)}
    >
      <Swatch color={colorOf(task)} />
      <span className="min-w-0 truncate">{task.title}</span>
    </button>
  )
}
