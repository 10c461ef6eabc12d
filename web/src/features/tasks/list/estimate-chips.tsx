import type { ListedTask } from '@daywright/contract'
import { formatMinutes } from '../../../time/format.ts'
import type { RowHandlers } from './row-props.ts'

const usual = [15, 30, 60, 90]

/** Sets an estimate with one click, so that the planner can place the task. */
export const EstimateChips = ({ task, handlers }: { task: ListedTask; handlers: RowHandlers }) => (
  <div role="group" aria-label={`How long “${task.title}” takes`} className="flex gap-1">
    {usual.map((minutes) => (
      <button
        key={minutes}
        type="button"
        tabIndex={-1}
        className="task-chip px-1.5"
        onClick={() => handlers.estimate(task, minutes)}
      >
        {formatMinutes(minutes)}
      </button>
    ))}
  </div>
)
