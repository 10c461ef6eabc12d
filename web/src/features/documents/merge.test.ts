import { describe, expect, it } from 'vitest'
import { merge } from './merge.ts'

describe('merge', () => {
  it.for([
    ['keeps a text that neither side changed', 'a b c', 'a b c', 'a b c', 'a b c'],
    ['takes a change of mine', 'a b c', 'A b c', 'a b c', 'A b c'],
    ['takes a change of theirs', 'a b c', 'a b c', 'a b C', 'a b C'],
    ['takes the same change of both sides once', 'a b c', 'a x c', 'a x c', 'a x c'],
    [
      'combines changes in two places',
      'one\ntwo\nthree',
      'ONE\ntwo\nthree',
      'one\ntwo\nTHREE',
      'ONE\ntwo\nTHREE',
    ],
    ['combines changes in any order', 'one\ntwo', 'one\ntwo!', 'zero\none\ntwo', 'zero\none\ntwo!'],
    ['reports a conflict in one place', 'one\ntwo', 'one\nmine', 'one\ntheirs', undefined],
    ['reports a conflict at the end', 'list\n', 'list\n- mine\n', 'list\n- theirs\n', undefined],
  ] as const)('%s', ([, base, mine, theirs, merged]) => {
    expect(merge(base, mine, theirs)).toBe(merged)
  })
})
