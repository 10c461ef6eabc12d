import { describe, expect, it } from 'vitest'
import { merge } from './merge.ts'

describe('merge', () => {
  it.for([
    ['neither', 'a b c', 'a b c', 'a b c', 'a b c'],
    ['only I', 'a b c', 'A b c', 'a b c', 'A b c'],
    ['only they', 'a b c', 'a b c', 'a b C', 'a b C'],
    ['both, the same', 'a b c', 'a x c', 'a x c', 'a x c'],
    [
      'both, in two places',
      'one\ntwo\nthree',
      'ONE\ntwo\nthree',
      'one\ntwo\nTHREE',
      'ONE\ntwo\nTHREE',
    ],
    ['both, the other way round', 'one\ntwo', 'one\ntwo!', 'zero\none\ntwo', 'zero\none\ntwo!'],
    ['both, in one place', 'one\ntwo', 'one\nmine', 'one\ntheirs', undefined],
    ['both, at the end', 'list\n', 'list\n- mine\n', 'list\n- theirs\n', undefined],
  ] as const)('%s', ([, base, mine, theirs, merged]) => {
    expect(merge(base, mine, theirs)).toBe(merged)
  })
})
