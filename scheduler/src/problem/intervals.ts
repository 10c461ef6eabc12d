// Sets of minutes as sorted pairs: [start, end, start, end, …], ends exclusive, never touching.

/** The union, sorted and merged; touching intervals become one. Empty ones are dropped. */
export const union = (pairs: readonly (readonly [number, number])[]): Int32Array => {
  const sorted = pairs.filter(([start, end]) => end > start).toSorted((a, b) => a[0] - b[0])
  const merged: number[] = []
  for (const [start, end] of sorted) {
    const last = merged.length - 1
    if (last > 0 && start <= merged[last]!) merged[last] = Math.max(merged[last]!, end)
    else merged.push(start, end)
  }
  return Int32Array.from(merged)
}

/** What is in `a` and not in `b`. */
export const subtract = (a: Int32Array, b: Int32Array): Int32Array => {
  const rest: number[] = []
  let j = 0
  for (let i = 0; i < a.length; i += 2) {
    let start = a[i]!
    const end = a[i + 1]!
    while (j < b.length && b[j + 1]! <= start) j += 2
    for (let k = j; k < b.length && b[k]! < end; k += 2) {
      if (b[k]! > start) rest.push(start, b[k]!)
      start = Math.max(start, b[k + 1]!)
    }
    if (start < end) rest.push(start, end)
  }
  return Int32Array.from(rest)
}

/** What is in both. */
export const intersect = (a: Int32Array, b: Int32Array): Int32Array => subtract(a, subtract(a, b))

export const clip = (pairs: readonly (readonly [number, number])[], from: number, until: number) =>
  pairs.map(([start, end]): [number, number] => [Math.max(start, from), Math.min(end, until)])

/** Converts a flat array of pairs to a list of pairs. */
export const pairsOf = (pairs: Int32Array): [number, number][] =>
  Array.from({ length: pairs.length / 2 }, (_, i) => [pairs[2 * i]!, pairs[2 * i + 1]!])

export const length = (pairs: Int32Array): number => {
  let sum = 0
  for (let i = 0; i < pairs.length; i += 2) sum += pairs[i + 1]! - pairs[i]!
  return sum
}

/** The array index of the first pair that ends after the minute; the array length if none does. */
export const firstAfter = (pairs: Int32Array, minute: number): number => {
  let low = 0
  let high = pairs.length >> 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (pairs[2 * middle + 1]! > minute) high = middle
    else low = middle + 1
  }
  return 2 * low
}
