import { describe, expect, it } from 'vitest'
import { shareMemory } from './share-memory.ts'

const areGivenUp = (holdings: { signal: AbortSignal }[]) =>
  holdings.map(({ signal }) => signal.aborted)

describe('shareMemory', () => {
  it('gives up the largest answer of the user with the most bytes', () => {
    const { open } = shareMemory(100)
    const holdings = ['ada', 'ada', 'grace', 'alan'].map(open)
    ;[30, 25, 40, 1].forEach((bytes, i) => holdings[i]!.add(bytes))
    expect(areGivenUp(holdings)).toEqual([false, false, false, false])

    holdings[3]!.add(10)
    expect(areGivenUp(holdings)).toEqual([true, false, false, false])
  })

  it('has room again for what was released', () => {
    const { open } = shareMemory(100)
    const first = open('ada')
    first.add(90)
    first.release()
    const second = open('grace')
    second.add(90)

    expect(areGivenUp([first, second])).toEqual([false, false])
  })

  it('gives up an answer that is larger than everything', () => {
    const { open } = shareMemory(100)
    const [small, large] = [open('ada'), open('grace')]
    small.add(50)
    large.add(101)

    expect(areGivenUp([small, large])).toEqual([false, true])
  })
})
