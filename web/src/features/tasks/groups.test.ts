import type { ListedTask } from '@daywright/contract'
import { describe, expect, it } from 'vitest'
import { filterOf } from './filter.ts'
import { groupTasks } from './groups.ts'

const now = new Date('2026-11-15T09:00:00Z')
const zone = 'Australia/Sydney'

const task = (title: string, more: Partial<ListedTask> = {}) =>
  ({
    id: title,
    title,
    status: 'todo',
    priority: 'none',
    estimateMinutes: 30,
    autoSchedule: true,
    dueAt: null,
    spaceId: null,
    projectId: null,
    space: null,
    project: null,
    labels: [],
    createdAt: now,
    ...more,
  }) as unknown as ListedTask

const due = (time: string) => ({ dueAt: new Date(time) })

describe('the groups of the list', () => {
  it('follow due dates, by days in the user’s zone', () => {
    const tasks = [
      task('someday'),
      task('late', due('2026-11-15T08:00:00Z')),
      // 23:59 on the 15th in Sydney, and a minute later
      task('tonight', due('2026-11-15T12:59:00Z')),
      task('midnight', due('2026-11-15T13:00:00Z')),
      task('vague', { estimateMinutes: null }),
    ]

    const groups = groupTasks(tasks, { group: 'due', sort: 'due', now, zone })

    expect(groups.map(({ key, tasks: own }) => [key, ...own.map(({ title }) => title)])).toEqual([
      ['unestimated', 'vague'],
      ['overdue', 'late'],
      ['today', 'tonight'],
      ['tomorrow', 'midnight'],
      ['someday', 'someday'],
    ])
  })

  it('follow the project or space, with the inbox first', () => {
    const project = { id: 'p', name: 'Atlas', color: '#000000' }
    const groups = groupTasks([task('a', { project }), task('b')], {
      group: 'place',
      sort: 'title',
      now,
      zone,
    })

    expect(groups.map(({ title }) => title)).toEqual(['Inbox', 'Atlas'])
  })

  it('list the most urgent tasks first', () => {
    const tasks = [task('low', { priority: 'low' }), task('urgent', { priority: 'urgent' })]

    const [all] = groupTasks(tasks, { group: 'none', sort: 'priority', now, zone })

    expect(all?.tasks.map(({ title }) => title)).toEqual(['urgent', 'low'])
  })
})

describe('the filters of the list', () => {
  it.for([
    [{}, ['a', 'b']],
    [{ project: 'none' }, ['a']],
    [{ project: 'p' }, ['b']],
    [{ status: 'done' }, ['c']],
    [{ status: 'all' }, ['a', 'b', 'c']],
    [{ find: 'B' }, ['b']],
  ] as const)('keep only the tasks that match %o', ([filters, wanted]) => {
    const tasks = [
      task('a'),
      task('b', { projectId: 'p' }),
      task('c', { status: 'completed' }),
      task('d', { status: 'archived' }),
    ]

    expect(tasks.filter(filterOf(filters)).map(({ title }) => title)).toEqual(wanted)
  })
})
