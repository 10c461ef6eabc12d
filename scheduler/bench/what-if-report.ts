// `npm run bench -- what-if`: how the planner responds to 360 changes of 20 weeks of five kinds of
// people.
import { plan } from '../src/index.ts'
import { mean, median, percent, table } from './figures.ts'
import { people } from './people.ts'
import { answer, whatIfs } from './what-if.ts'

/** Weeks of each kind of person. */
const SEEDS = 4

const answers = people(SEEDS)
  .flatMap((week) => whatIfs(week, plan))
  .map((whatIf) => ({ change: whatIf.change, ...answer(plan, whatIf) }))
const head = [
  '',
  'changes',
  'avoidably late',
  'moved',
  'a fresh plan',
  'done after',
  'a fresh plan',
]
const rows = [...Map.groupBy(answers, ({ change }) => change)].map(([change, group]) => {
  const placed = group.filter(({ doneAfter }) => doneAfter !== undefined)
  const days = (values: number[]) => `${mean(values).toFixed(1)} d`
  return [
    change,
    String(group.length),
    String(group.filter(({ isAvoidablyLate }) => isAvoidablyLate).length),
    percent(mean(group.map(({ moved }) => moved))),
    percent(mean(group.map(({ freshMoved }) => freshMoved))),
    days(placed.map(({ doneAfter }) => doneAfter!)),
    days(placed.map(({ freshDoneAfter }) => freshDoneAfter!)),
    percent(mean(group.map((one) => one.excess))),
    median(group.map(({ ms }) => ms)).toFixed(0),
  ]
})
process.stdout.write(`${table([[...head, 'lateness above it', 'CPU ms'], ...rows])}\n\n`)
const violations = answers.reduce((sum, one) => sum + one.violations, 0)
const again = answers.reduce((sum, one) => sum + one.movedAgain, 0)
process.stdout.write(`Rules broken: ${violations}. Moved by a run without changes: ${again}.\n`)
process.exitCode = violations > 0 ? 1 : 0
