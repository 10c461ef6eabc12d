import { describe, expect, it } from 'vitest'
import { addArc, flowOn, newNetwork, pushFlow, reachable } from '../src/bounds/max-flow.ts'
import { randomFrom } from '../src/local-search/random.ts'

describe('pushFlow', () => {
  it('sends as much as the minimum cut allows', () => {
    const network = newNetwork(4)
    addArc(network, 0, 1, 3)
    addArc(network, 0, 2, 2)
    addArc(network, 1, 2, 5)
    addArc(network, 1, 3, 2)
    const last = addArc(network, 2, 3, 3)

    expect(pushFlow(network, 0, 3)).toBe(5)
    expect(flowOn(network, last)).toBe(3)
  })

  it('stops at the limit, and cancels flow that is sent in reverse', () => {
    const network = newNetwork(3)
    addArc(network, 0, 1, 9)
    addArc(network, 1, 2, 7)

    expect(pushFlow(network, 0, 2, 4)).toBe(4)
    expect(pushFlow(network, 2, 0, 4)).toBe(4)
    expect(pushFlow(network, 0, 2)).toBe(7)
  })

  it('equals the minimum cut of random networks', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = randomFrom(seed)
      const network = newNetwork(6)
      const arcs = Array.from({ length: 12 }, () => {
        const [tail, head] = [Math.floor(random() * 6), Math.floor(random() * 6)]
        const capacity = Math.floor(random() * 10)
        addArc(network, tail, head, capacity)
        return { tail, head, capacity }
      })
      const cut = (side: number) =>
        arcs
          .filter(({ tail, head }) => (side >> tail) & 1 && !((side >> head) & 1))
          .reduce((sum, { capacity }) => sum + capacity, 0)
      const cuts = Array.from({ length: 16 }, (_, middle) => cut(1 | (middle << 1)))

      expect(pushFlow(network, 0, 5), `seed ${seed}`).toBe(Math.min(...cuts))
      expect(reachable(network, 0)[5], `seed ${seed}`).toBe(0)
    }
  })
})
