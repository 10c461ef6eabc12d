// The generator finds only what is in its tables, so a function that takes bytes of others has to be in one.
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as caldav from '@daywright/caldav'
import * as ical from '@daywright/ical'
import { tasks } from '../../../../server/src/features/calendars/reader-tasks.ts'
import { answers } from '../../../../server/src/features/connected-accounts/answers.ts'
import { groups } from './takers.ts'
import { requestBodies } from './takers/request-bodies.ts'

const takers = (await Promise.all(Object.values(groups).map((load) => load()))).flatMap(
  (group) => group.takers,
)
const covered = new Set(takers.flatMap(({ name, covers = [] }) => [name, ...covers]))

/** Functions of numbers, and errors. */
const others = new Set([
  'CalendarRefused',
  'DavError',
  'LimitExceeded',
  'RuleNotUnderstood',
  'dateOf',
  'dayNumber',
  'weekdayOf',
  'weekStartOf',
])

const functionsOf = (module: object) =>
  Object.entries(module).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))
const missing = (names: string[]) => names.filter((name) => !covered.has(name) && !others.has(name))

describe('the tables of functions that take bytes of others', () => {
  it.each(Object.entries({ ical, caldav }))('have every function that %s exports', (_, module) => {
    expect(missing(functionsOf(module))).toEqual([])
  })

  it('have every task of the readers', () => {
    const names = Object.keys(tasks).map((task) => `task ${task}`)
    const prefixes = names.filter((name) => ![...covered].some((each) => each.startsWith(name)))

    expect(prefixes).toEqual([])
  })

  it('have every answer of providers', () => {
    expect(missing(Object.keys(answers).map((name) => `answer ${name}`))).toEqual([])
  })

  it('have the body of every request', () => {
    const sources = globSync('server/src/**/*.routes.ts').map((file) => readFileSync(file, 'utf8'))
    const bodies = sources.flatMap((source) =>
      [...source.matchAll(/\bbody: ?([A-Z]\w+)\b(?!\.)/g)].map(([, name = '']) => name),
    )

    expect(bodies.length).toBeGreaterThan(50)
    expect([...new Set(bodies)].filter((name) => !(name in requestBodies))).toEqual([])
  })

  it('have no function twice', () => {
    expect(takers.map(({ name }) => name)).toEqual([...new Set(takers.map(({ name }) => name))])
  })
})
