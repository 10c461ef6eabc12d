import { describe, expect, it } from 'vitest'
import { createAdmission as create } from './admission.ts'

const createAdmission = (places: number, reserve?: number) =>
  create({ places, reserve, refuseNewest: () => false })

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

describe('admission of a party that holds few slots', () => {
  /** An admission whose requests all wait, so each may be refused; a refused one leaves, as after its response. */
  function admissionOfWaiting(places: number) {
    const waiting = new Map<string, (() => void)[]>()
    const refused: string[] = []
    const admission = create({
      places,
      refuseNewest: (party) => {
        const leave = waiting.get(party)?.pop()
        if (!leave) return false
        refused.push(party)
        leave()
        return true
      },
    })
    const enter = (party: string) => {
      const slot = admission.enter(party)
      if (slot) waiting.set(party, [...(waiting.get(party) ?? []), slot.leave])
      return slot !== undefined
    }
    const heldBy = (party: string) => waiting.get(party)?.length ?? 0
    return { enter, heldBy, refused, taken: admission.taken }
  }
  const enterOften = (enter: (party: string) => boolean, party: string, times: number) =>
    Array.from({ length: times }, () => enter(party)).filter(Boolean).length

  it('refuses a waiting request of the party that holds the most', () => {
    const { enter, heldBy, refused } = admissionOfWaiting(200)
    enterOften(enter, 'first', 300)
    enterOften(enter, 'second', 10)

    expect(enterOften(enter, 'bystander', 50)).toBe(50)

    expect(new Set(refused)).toEqual(new Set(['first']))
    expect(heldBy('second')).toBe(10)
    expect(heldBy('bystander')).toBe(50)
  })

  it('gives the party as many slots as the largest one', () => {
    const { enter, heldBy } = admissionOfWaiting(200)
    enterOften(enter, 'first', 300)

    enterOften(enter, 'bystander', 300)

    expect(heldBy('first') - heldBy('bystander')).toBeOneOf([0, 1])
  })

  it('refuses the request if no other request waits', () => {
    const admission = createAdmission(200)
    enterUntilRefused(admission, 'first')
    enterUntilRefused(admission, 'bystander')

    expect(admission.enter('bystander')).toBeUndefined()
  })

  it('never admits more than the slots and the reserve', () => {
    const { enter, taken } = admissionOfWaiting(20)

    for (let round = 0; round < 50; round += 1) {
      for (let party = 0; party < 10; party += 1) enter(`party ${party}`)
    }

    expect(taken()).toBeLessThanOrEqual(30)
  })
})
