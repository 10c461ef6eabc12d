// `npm run bench -- month [--people N] [--held-out] [--only WAY]`: four weeks in the life of people whose work takes as
// long as it takes, with this planner and with others.
import { parseArgs } from 'node:util'
import { table } from '../figures.ts'
import { range } from '../instances.ts'
import { commitHash } from './commit-hash.ts'
import { meanOf, priorities, total, waitsOf } from './judge.ts'
import { type Measured, measureMonth } from './measure-month.ts'
import { peopleOf } from './person.ts'
import { ways } from './ways.ts'

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    people: { type: 'string', default: '4' },
    'held-out': { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const seed = values['held-out'] ? commitHash().slice(0, 12) : 'tuning'
const people = peopleOf(range(Number(values.people)).map((number) => `${seed} ${number}`))
process.stdout.write(
  `${people.length} people (${seed}), ${people[0]!.arrivals.length} tasks each\n\n`,
)
const rows = ways
  .filter(({ name }) => !values.only || values.only.split(',').includes(name))
  .map((way) => rowOf(measureMonth(people, way)))
process.stdout.write(`${table([head(), ...rows])}\n`)

function head() {
  return [
    '',
    'missed',
    priorities.map((each) => each[0]).join('/'),
    'wL k',
    'moved a day',
    '48 h',
    'needless',
    'inversions',
    'switches',
    'A-B-A',
    'session',
    'wait u/h/m/l/n',
    'longest',
    'CPU s',
  ]
}

function rowOf({ way, people, month, mornings, duringDay, needless, days, ms }: Measured) {
  const all = [...mornings, ...duringDay]
  const perDay = (key: 'moved' | 'movedSoon') =>
    (all.reduce((sum, change) => sum + change[key], 0) / days).toFixed(1)
  const waits = waitsOf(month)
  return [
    way.name,
    `${total(month.missed)}/${total(month.due)}`,
    priorities.map((each) => month.missed[each]).join('/'),
    (month.lateness / people / 1000).toFixed(0),
    perDay('moved'),
    perDay('movedSoon'),
    (needless / days).toFixed(1),
    meanOf(mornings, 'inversions').toFixed(2),
    (month.switches / month.days).toFixed(1),
    (month.interruptions / month.days).toFixed(2),
    (meanOf(mornings, 'minutes') / meanOf(mornings, 'blocks')).toFixed(0),
    waits.byPriority.map((each) => each.toFixed(0)).join('/'),
    waits.longest.toFixed(0),
    (ms / 1000).toFixed(1),
  ]
}
