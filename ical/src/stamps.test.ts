import { describe, expect, it } from 'vitest'
import { lastChangeOf, withoutStamps } from './index.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const strip = (text: string) => new TextDecoder().decode(withoutStamps(bytesOf(text)))

describe('withoutStamps', () => {
  it.for<[string, string]>([
    ['DTSTAMP:1\r\nUID:a\r\ncreated;X=1:2\r\n', '\r\nUID:a\r\n\r\n'],
    ['UID:a\nLAST-MODIFIED:20260301T090000Z', 'UID:a\n'],
    ['DTSTAMPS:1\nX-CREATED:2\nCREATED', 'DTSTAMPS:1\nX-CREATED:2\nCREATED'],
    ['SUMMARY:é DTSTAMP:1\n', 'SUMMARY:é DTSTAMP:1\n'],
    ['', ''],
  ])('of %j is %j', ([file, expected]) => {
    expect(strip(file)).toBe(expected)
  })
})

describe('lastChangeOf', () => {
  it('is the latest of the times in UTC', () => {
    const file = 'DTSTAMP:20260301T090000Z\r\nLAST-MODIFIED:20260302T0\r\n 90000Z\r\nDTSTAMP:soon'
    expect(lastChangeOf(bytesOf(file))).toBe(Date.parse('2026-03-02T09:00:00Z'))
  })

  it('is 0 if there is none', () => {
    expect(lastChangeOf(bytesOf('UID:a'))).toBe(0)
  })

  it('reads a file with very many times', () => {
    const file = 'DTSTAMP:20260301T090000Z\n'.repeat(200_000)
    expect(lastChangeOf(bytesOf(file))).toBe(Date.parse('2026-03-01T09:00:00Z'))
  })
})
