import { describe, expect, it } from 'vitest'
import { insertLines, padRows, withRowAfter } from './first-rows.ts'

const row = (text: string, minutes = 60) => ({ text, minutes })

describe('padRows', () => {
  it('adds empty rows up to three', () => {
    expect(padRows([])).toEqual([row(''), row(''), row('')])
    expect(padRows([row('Write', 30)])).toEqual([row('Write', 30), row(''), row('')])
  })

  it('keeps more than three rows', () => {
    const rows = ['a', 'b', 'c', 'd'].map((text) => row(text))
    expect(padRows(rows)).toEqual(rows)
  })
})

describe('withRowAfter', () => {
  it('adds an empty row after the last one only', () => {
    const rows = ['a', 'b', 'c'].map((text) => row(text))
    expect(withRowAfter(rows, 1)).toEqual(rows)
    expect(withRowAfter(rows, 2)).toEqual([...rows, row('')])
  })
})

describe('insertLines', () => {
  it('replaces the row that the lines are pasted into', () => {
    expect(insertLines(padRows([]), 0, ['Write', 'Call'])).toEqual([
      row('Write'),
      row('Call'),
      row(''),
    ])
  })

  it('keeps the text and length of later rows', () => {
    const rows = [row(''), row('Pay', 15), row('')]
    expect(insertLines(rows, 0, ['Write', 'Call'])).toEqual([
      row('Write'),
      row('Call'),
      row('Pay', 15),
    ])
  })

  it('keeps earlier rows, even if empty', () => {
    const rows = [row('Pay', 15), row(''), row('Ask')]
    expect(insertLines(rows, 2, ['Ask Bob', 'Call'])).toEqual([
      row('Pay', 15),
      row(''),
      row('Ask Bob'),
      row('Call'),
    ])
  })
})
