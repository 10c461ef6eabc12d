import { lazy, Suspense } from 'react'
import {
  CalendarSearch,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  PanelLeft,
  Sparkles,
} from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import type { View } from './calendar-search.ts'

const views: { value: View; label: string }[] = [
  { value: 'day', label: 'Day' },
  { value: 'work', label: '5 days' },
  { value: 'week', label: 'Week' },
  { value: '2week', label: '2 weeks' },
]

type LeadProps = {
  week: number
  onGo: (by: number) => void
  onToday: () => void
  isNarrow: boolean
}

export const CalendarLead = ({ week, onGo, onToday, isNarrow }: LeadProps) => (
  <>
    {!isNarrow && (
      <span
        className="rounded-[4px] border px-1 text-2xs text-ink-3 tabular"
        data-tip={`Week ${week}`}
      >
        W{week}
      </span>
    )}
    <div className="flex items-center md:ml-2">
      <IconButton
        label={isNarrow ? 'The day before' : 'Before'}
        keys="k"
        icon={<ChevronLeft size={17} />}
        onClick={() => onGo(-1)}
      />
      <Button look="quiet" keys="t" onClick={onToday}>
        Today
      </Button>
      <IconButton
        label={isNarrow ? 'The next day' : 'After'}
        keys="j"
        icon={<ChevronRight size={17} />}
        onClick={() => onGo(1)}
      />
    </div>
  </>
)

const waits = (count: number) =>
  count === 1 ? '1 task isn’t scheduled yet' : `${count} tasks aren’t scheduled yet`

type ActionsProps = {
  view: View
  isNarrow: boolean
  isBusy: boolean
  waiting: number
  onView: (view: View) => void
  onPlan: () => void
  onPlanFromScratch: () => void
  onFindTime: () => void
  onTasks: () => void
}

const PlanMenu = lazy(() => import('./plan-menu.tsx'))
const moreWays = (
  <IconButton look="plain" label="More ways to plan" icon={<ChevronDown size={15} />} disabled />
)

export const CalendarActions = (props: ActionsProps) => (
  <>
    <div className="hidden @min-[760px]:block">
      <SegmentedControl label="View" value={props.view} options={views} onChange={props.onView} />
    </div>
    <select
      aria-label="View"
      className="input hidden w-28 @min-[560px]:block @min-[760px]:hidden"
      value={props.view}
      onChange={({ target }) => props.onView(target.value as View)}
    >
      {views.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
    {!props.isNarrow && (
      <IconButton
        label="Find a time"
        keys="f"
        icon={<CalendarSearch size={16} />}
        onClick={props.onFindTime}
      />
    )}
    <IconButton label="Tasks" keys="\" icon={<PanelLeft size={16} />} onClick={props.onTasks} />
    <Button look="primary" keys="p" aria-disabled={props.isBusy} onClick={props.onPlan}>
      <Sparkles size={14} aria-hidden="true" />
      {props.isBusy ? 'Planning…' : 'Plan'}
      {props.waiting > 0 && (
        <span className="text-xs opacity-80 tabular" data-tip={waits(props.waiting)}>
          {props.waiting}
          <span className="sr-only"> not scheduled yet</span>
        </span>
      )}
      {!props.isNarrow && <Kbd keys="p" />}
    </Button>
    <Suspense fallback={moreWays}>
      <PlanMenu
        isBusy={props.isBusy}
        onPlanFromScratch={props.onPlanFromScratch}
        onFindTime={props.onFindTime}
      />
    </Suspense>
  </>
)
