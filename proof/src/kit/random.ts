export type Random = ReturnType<typeof randomFrom>

/** Reproducible random choices: the same seed gives the same ones. */
export function randomFrom(seed: number) {
  let state = seed >>> 0
  function next() {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    /** A whole number, both ends included. */
    between,
    pick<Item>(items: readonly Item[]): Item {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new Error('Nothing to pick from')
      return item
    },
    /** Like `pick`, but returns undefined for an empty list. */
    pickAny: <Item>(items: readonly Item[]): Item | undefined =>
      items[between(0, items.length - 1)],
    chance: (share: number) => next() < share,
    /** One of the items, by weight. */
    weighed<Item>(items: readonly (readonly [weight: number, item: Item])[]): Item {
      let left = next() * items.reduce((sum, [weight]) => sum + weight, 0)
      const found = items.find(([weight]) => (left -= weight) < 0) ?? items.at(-1)
      if (!found) throw new Error('Nothing to weigh')
      return found[1]
    },
    /** As many of the items, without repetition. */
    draw<Item>(items: readonly Item[], count: number): Item[] {
      const left = [...items]
      return Array.from({ length: Math.min(count, left.length) }).flatMap(() =>
        left.splice(between(0, left.length - 1), 1),
      )
    },
    /** An independent generator, so that one consumer does not affect another. */
    fork: () => randomFrom(Math.floor(next() * 2 ** 32)),
  }
}
