/** By how much `y` rises with each `x`: the median of all pairs, so that one odd point says nothing. */
export function slopeOf<Key extends string>(
  points: Record<Key, number>[],
  x: NoInfer<Key>,
  y: NoInfer<Key>,
) {
  const slopes = points
    .flatMap((a, i) => points.slice(i + 1).map((b) => (b[y] - a[y]) / (b[x] - a[x])))
    .toSorted((a, b) => a - b)
  return slopes[Math.floor(slopes.length / 2)] ?? NaN
}
