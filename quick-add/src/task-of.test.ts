import { describe, expect, it } from 'vitest'
import { names, now, zone } from '../test/phrases.ts'
import { linesOf, newLabelsOf, parseQuickAdd, recurrenceOf, taskOf } from './index.ts'

const parse = (line: string) => parseQuickAdd(line, { now, zone, locale: 'en-US', names })

describe('the task of a line', () => {
  it('has only the title if nothing else is named', () => {
    expect(taskOf(parse('Call Mei'))).toEqual({ title: 'Call Mei' })
  })

  it('has a field for each thing that is named', () => {
    const space = names.spaces[0]!
    const label = names.labels[0]!
    const line = `Call Mei fri 5pm ~45m !high #${space.name} @${label.name} @${label.name}`

    expect(taskOf(parse(line))).toEqual({
      title: 'Call Mei',
      dueAt: '2026-11-20T16:00:00.000Z',
      estimateMinutes: 45,
      priority: 'high',
      spaceId: space.id,
      projectId: null,
      labelIds: [label.id],
    })
  })

  it('is in the space of its project', () => {
    const project = names.projects.find(({ spaceId }) => spaceId !== null)!

    expect(taskOf(parse(`Call Mei #${project.name}`))).toEqual({
      title: 'Call Mei',
      projectId: project.id,
      spaceId: project.spaceId,
    })
  })

  it('keeps the words for a repetition in the title if the caller cannot store it', () => {
    const context = { now, zone, locale: 'en-US', names, keepInTitle: ['repeat'] as const }
    const parsed = parseQuickAdd('Pay rent every month', context)
    expect(taskOf(parsed)).toEqual({ title: 'Pay rent every month' })
    expect(recurrenceOf(parsed, now, zone)).toBeUndefined()
  })
})

describe('the recurrence of a line', () => {
  // It is Monday, 16 November 2026.
  it.for([
    ['Pay rent every month', { kind: 'calendar', rule: 'FREQ=MONTHLY', startsOn: '2026-11-16' }],
    [
      'Report every friday 4pm',
      {
        kind: 'calendar',
        rule: 'FREQ=WEEKLY;BYDAY=FR',
        startsOn: '2026-11-16',
        dueTime: '16:00',
      },
    ],
    [
      'Pay rent 1 dec every month',
      { kind: 'calendar', rule: 'FREQ=MONTHLY', startsOn: '2026-12-01' },
    ],
    [
      'Gym 3x a week from 1 dec until 24 dec',
      {
        kind: 'times',
        rule: 'FREQ=WEEKLY',
        times: 3,
        startsOn: '2026-12-01',
        endsOn: '2026-12-24',
      },
    ],
    [
      'Water every! 3 days',
      { kind: 'completion', rule: 'FREQ=DAILY;INTERVAL=3', startsOn: '2026-11-16' },
    ],
    [
      'Lock up every day at midnight',
      { kind: 'calendar', rule: 'FREQ=DAILY', startsOn: '2026-11-16' },
    ],
  ] as const)('%s', ([line, expected]) => {
    expect(recurrenceOf(parse(line), now, zone)).toEqual(expected)
  })
})

describe('new labels', () => {
  it('are each created once', () => {
    expect(newLabelsOf(parse('Call @brandnew @other @BrandNew'))).toEqual(['brandnew', 'other'])
  })

  it('with a name that is too long stay in the title', () => {
    const word = `@${'x'.repeat(101)}`

    expect(parse(`Call ${word}`)).toMatchObject({ title: `Call ${word}`, newLabels: [] })
  })
})

describe('the lines of a pasted text', () => {
  it.for([
    ['Call Mei', ['Call Mei']],
    ['Call Mei\r\n\n  Write \rSend\n', ['Call Mei', 'Write', 'Send']],
    ['- Call\n* Write\n• Send\n1. Pay\n2) Ask', ['Call', 'Write', 'Send', 'Pay', 'Ask']],
    ['- [ ] Call\n- [x] Write\n[ ] Send', ['Call', 'Write', 'Send']],
    ['-5 degrees\n1.5h read\n24.12. gifts', ['-5 degrees', '1.5h read', '24.12. gifts']],
    [' \n ', []],
  ] as const)('%j', ([text, lines]) => {
    expect(linesOf(text)).toEqual(lines)
  })
})

describe('a line with an impossible date', () => {
  it.for(['2026-99-99T10:00Z', '0000-01-01', '9999-12-31', '0001-01-01T00:00Z'])(
    'has no due date, and keeps %s in the title',
    (date) => {
      expect(taskOf(parse(`Call Mei ${date}`))).toEqual({ title: `Call Mei ${date}` })
    },
  )
})
