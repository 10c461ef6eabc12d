/** Numbers that follow from a seed, and what is chosen by them. */
export type Random = ReturnType<typeof randomFrom>

export function randomFrom(seed: number) {
  let state = seed >>> 0
  /** mulberry32: small, fast, and good enough to choose by. */
  function unit() {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (below: number) => Math.floor(unit() * below)
  return {
    unit,
    whole,
    chance: (share: number) => unit() < share,
    pick: <Item>(items: readonly Item[]): Item => items[whole(items.length)] as Item,
    /** One of them, as often as its weight says. */
    weighed<Item>(items: readonly (readonly [number, Item])[]): Item {
      let left = unit() * items.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, item] of items) {
        left -= weight
        if (left < 0) return item
      }
      return (items.at(-1) as readonly [number, Item])[1]
    },
  }
}
