/** The slope of `y` over `x` as the median of all pairs (Theil–Sen), which is robust to outliers. */
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
