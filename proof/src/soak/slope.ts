/** By how much `y` rises with each `x`, by least squares. */
export function slopeOf<Key extends string>(
  points: Record<Key, number>[],
  x: NoInfer<Key>,
  y: NoInfer<Key>,
) {
  const mean = (key: Key) => points.reduce((sum, point) => sum + point[key], 0) / points.length
  const [meanX, meanY] = [mean(x), mean(y)]
  let above = 0
  let below = 0
  for (const point of points) {
    above += (point[x] - meanX) * (point[y] - meanY)
    below += (point[x] - meanX) ** 2
  }
  return above / below
}
