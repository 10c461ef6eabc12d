import { describe, expect, it } from 'vitest'
import { admitTo } from './admission.ts'

const enterUntilRefused = (admission: ReturnType<typeof admitTo>, party: string) => {
  let count = 0
  while (count < 1000 && admission.enter(party)) count += 1
  return count
}

describe('admission', () => {
  it('gives one party every place but the reserve', () => {
    expect(enterUntilRefused(admitTo(200), 'ada')).toBe(150)
  })

  it('keeps a reserve for parties that hold little', () => {
    const admission = admitTo(200)
    enterUntilRefused(admission, 'ada')

    const others = ['grace', 'mary', 'joan', 'emmy'].map((party) =>
      enterUntilRefused(admission, party),
    )

    expect(admission.enter('ada')).toBeUndefined()
    expect(others).toEqual([10, 8, 7, 5])
    expect(admission.enter('bystander')).toBeDefined()
  })

  it('never gives more places than there are', () => {
    const admission = admitTo(20)

    for (let party = 0; party < 100; party += 1) admission.enter(`party ${party}`)

    expect(admission.taken()).toBe(20)
  })

  it('has a place again once one was left, counted once', () => {
    const admission = admitTo(1)
    const place = admission.enter('ada')
    expect(admission.enter('grace')).toBeUndefined()

    place?.leave()
    place?.leave()

    expect(admission.taken()).toBe(0)
    expect(admission.enter('grace')).toBeDefined()
    expect(admission.enter('grace')).toBeUndefined()
  })
})
