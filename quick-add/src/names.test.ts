import { describe, expect, it } from 'vitest'
import { initialsOf } from './names.ts'

describe('initialsOf', () => {
  it.for([
    ['Call Ada tomorrow', []],
    ['Call Ada #work', ['w', 'W']],
    ['Fix it #Work/website @legal', ['w', 'W', 'l', 'L']],
    ['Hike #Äcker @5pm', ['ä', 'Ä', '5']],
    ['50 % # off @ home', []],
  ] as const)('reads %s', ([line, initials]) => {
    expect(initialsOf(line)).toEqual(initials)
  })
})
