import { describe, expect, it } from 'vitest'
import { names, now, zone } from '../test/phrases.ts'
import { keepInTitle, linesOf, newLabelsOf, parseQuickAdd, taskOf } from './index.ts'

const parse = (line: string) =>
  parseQuickAdd(line, { now, zone, locale: 'en-US', names, keepInTitle })

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

  it('does not repeat yet: those words stay in the title', () => {
    expect(taskOf(parse('Pay rent every month'))).toEqual({ title: 'Pay rent every month' })
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
