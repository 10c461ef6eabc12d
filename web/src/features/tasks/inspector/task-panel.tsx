import { Link } from '@tanstack/react-router'
import { Maximize2 } from 'lucide-react'
import { Panel } from '../../../ui/screen.tsx'
import { tip } from '../../../ui/tip.ts'
import { TaskInspector } from './task-inspector.tsx'

/** A task beside the screen it was opened from. */
export const TaskPanel = ({ id, onClose }: { id: string; onClose: () => void }) => (
  <Panel
    label="Task"
    title={
      <span className="flex items-center gap-1 font-normal text-ink-3">
        <span className="flex-1">Task</span>
        <Link
          to="/tasks/$id"
          params={{ id }}
          aria-label="Open on its own page"
          className="button button-quiet icon-button"
          {...tip('Open on its own page')}
        >
          <Maximize2 size={14} aria-hidden="true" />
        </Link>
      </span>
    }
    onClose={onClose}
  >
    <TaskInspector key={id} id={id} onGone={onClose} />
  </Panel>
)
