import type { Command } from '../../ui/commands/registry.ts'
import type { View } from './calendar-search.ts'
import type { usePlan } from './use-plan.ts'
import type { Period } from './use-period.ts'

const views: [string, View, string][] = [
  ['1', 'day', 'Show a day'],
  ['5', 'work', 'Show five days'],
  ['w', 'week', 'Show a week'],
  ['2', '2week', 'Show two weeks'],
]

type Options = { period: Period; plan: ReturnType<typeof usePlan>; toggleTasks: () => void }

/** Commands of the calendar that need no selection. */
export function calendarCommands({ period, plan, toggleTasks }: Options): Command[] {
  const { set } = period
  const group = 'Calendar'
  return [
    {
      id: 'plan',
      title: 'Plan the next two weeks',
      group,
      keys: 'p',
      words: 'schedule preview fortnight',
      run: () => void plan.preview(),
    },
    {
      id: 'plan.scratch',
      title: 'Plan from scratch',
      group,
      keys: 'shift+p',
      words: 'schedule again new preview reset',
      run: () => void plan.preview({ fromScratch: true }),
    },
    {
      id: 'plan.apply',
      title: 'Apply the plan',
      group,
      keys: 'shift+enter',
      isDisabled: plan.run?.state !== 'preview',
      run: () => void plan.apply(),
    },
    {
      id: 'calendar.today',
      title: 'Show today',
      group,
      keys: 't',
      run: () => period.goTo(period.today),
    },
    {
      id: 'calendar.next',
      title: 'Next',
      group,
      keys: 'j',
      run: () => period.goBy(1),
    },
    { id: 'calendar.last', title: 'Previous', group, keys: 'k', run: () => period.goBy(-1) },
    ...views.map(([keys, view, title]) => ({
      id: `calendar.${view}`,
      title,
      group,
      keys,
      run: () => set({ view }),
    })),
    {
      id: 'calendar.tasks',
      title: 'Show or hide the task list',
      group,
      keys: '\\',
      run: toggleTasks,
    },
  ]
}
