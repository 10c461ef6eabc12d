import { describe, expect, it } from 'vitest'
import { createAdmission } from './admission.ts'

const enterUntilRefused = (admission: ReturnType<typeof createAdmission>, party: string) => {
  let count = 0
  while (count < 1000 && admission.enter(party)) count += 1
  return count
}

describe('admission', () => {
  it('gives one party every slot while no other party needs one', () => {
    expect(enterUntilRefused(createAdmission(200), 'ada')).toBe(200)
  })

  it('keeps a reserve for parties that hold little', () => {
    const admission = createAdmission(200)
    enterUntilRefused(admission, 'ada')

    const others = ['grace', 'mary', 'joan', 'emmy'].map((party) =>
      enterUntilRefused(admission, party),
    )

    expect(admission.enter('ada')).toBeUndefined()
    expect(others).toEqual([15, 13, 11, 9])
    expect(admission.enter('bystander')).toBeDefined()
  })

  it('gives busy parties equal shares, also beside one that came first', () => {
    const admission = createAdmission(200)
    const parties = Array.from({ length: 20 }, (_, index) => `party ${index}`)
    for (let count = 0; count < 60; count += 1) admission.enter('first')

    const rounds = Array.from({ length: 50 }, () =>
      parties.filter((party) => admission.enter(party) !== undefined),
    )
    const held = parties.map((party) => rounds.filter((round) => round.includes(party)).length)

    expect(new Set(held)).toEqual(new Set([9, 10]))
    expect(admission.enter('first')).toBeUndefined()
  })

  it('never admits more than the slots and the reserve', () => {
    const admission = createAdmission(20)

    for (let party = 0; party < 100; party += 1) admission.enter(`party ${party}`)

    expect(admission.taken()).toBe(30)
  })

  it('frees a slot once, however often it is released', () => {
    const admission = createAdmission(1, 0)
    const place = admission.enter('ada')
    expect(admission.enter('grace')).toBeUndefined()

    place?.leave()
    place?.leave()

    expect(admission.taken()).toBe(0)
    expect(admission.enter('grace')).toBeDefined()
    expect(admission.enter('grace')).toBeUndefined()
  })
})
