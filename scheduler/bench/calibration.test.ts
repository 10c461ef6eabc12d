import { describe, expect, it } from 'vitest'
import { type Bin, calibrate, newBins, SHAPES } from './calibration.ts'

/** Limits on how often chances of about 50, 80 and 95 % come true, in percent. */
const LIMITS = [
  [45, 55],
  [75, 85],
  [92, 98],
] as const
/** With fewer chances, the share of a single shape says little. */
const MIN_COUNT = 180

const shares = (bins: Bin[]) => bins.map(({ met, count }) => (100 * met) / count)

const add = (sums: Bin[], bins: Bin[]) => {
  for (const [i, { stated, met, count }] of bins.entries()) {
    sums[i]!.stated += stated
    sums[i]!.met += met
    sums[i]!.count += count
  }
}

describe('stated chances', { timeout: 180_000 }, () => {
  it.each([
    ['many', 100],
    ['some', 25],
  ])('come true as often as stated, after %s completed tasks', (_, completed) => {
    const sums = newBins()
    const outside: { shape: string; share: number }[] = []
    for (const shape of Object.keys(SHAPES)) {
      const bins = newBins()
      calibrate(shape, { completed, persons: 3, lives: 3 }, bins)
      add(sums, bins)
      // With few completed tasks, the shape cannot be known.
      if (completed < 100 || bins[1]!.count < MIN_COUNT) continue
      const share = shares(bins)[1]!
      if (share < LIMITS[1][0] || share > LIMITS[1][1]) outside.push({ shape, share })
    }
    expect(outside).toEqual([])
    for (const [i, [least, most]] of LIMITS.entries()) {
      expect(shares(sums)[i]).toBeGreaterThan(least)
      expect(shares(sums)[i]).toBeLessThan(most)
    }
  })
})
