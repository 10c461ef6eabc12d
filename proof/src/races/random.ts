/** Numbers that follow from a seed (mulberry32): the same seed, the same numbers. */
export function randomOf(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    pick<Item>(items: Item[]): Item {
      return items[Math.floor(next() * items.length)] as Item
    },
  }
}

export type Random = ReturnType<typeof randomOf>
