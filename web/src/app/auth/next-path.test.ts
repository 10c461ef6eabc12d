import { describe, expect, it } from 'vitest'
import { nextPath } from './next-path.ts'

describe('nextPath', () => {
  it.each(['/calendar?w=2026-03-02', '/tasks/1#notes', '/'])('leads to %s', (path) => {
    expect(nextPath(path)).toBe(path)
  })

  it.each([
    undefined,
    7,
    '',
    'calendar',
    '//evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    '/.//evil.test',
    '/x/..//evil.test',
    'https://evil.test',
    'javascript:alert(1)',
    ' //evil.test',
  ])('ignores %j', (next) => {
    expect(nextPath(next)).toBe('/')
  })
})
