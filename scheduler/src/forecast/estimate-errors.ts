// What is known of a person's estimate errors: ratios of actual to estimated time, as a table to draw from.
import { randomFrom } from '../local-search/random.ts'

/** Before anything is known: tasks take 10 % longer in the median, with a wide spread. */
const PRIOR_MEAN = Math.log(1.1)
const PRIOR_SPREAD = 0.4
/** How many of the person's own tasks the assumptions are worth: of the mean, of the spread, and of the
 *  shape of the distribution. */
const MEAN_WORTH = 3
const SPREAD_WORTH = 3
const SHAPE_WORTH = 4
/** More is a wrong entry rather than a wrong estimate. */
const MAX_RATIO = 8
const TABLE_SIZE = 4096
const SEED = 0x5eed

export type EstimateErrors = {
  /** Ratios of actual to estimated time, each as likely as any other; ascending. */
  ratios: Float64Array
  /** The uncertainty of the logarithm that all tasks have in common: few tasks say little about the
   *  person's mean. */
  sharedSpread: number
}

/** The distribution of the next error, from the ratios of completed tasks. Few ratios are completed by
 *  assumptions; many speak for themselves, whatever the shape of their distribution. */
export const estimateErrorsOf = (observed: readonly number[]): EstimateErrors => {
  const logs = observed
    .filter((ratio) => ratio > 0 && Number.isFinite(ratio))
    .map((ratio) => Math.log(Math.min(MAX_RATIO, Math.max(1 / MAX_RATIO, ratio))))
  const n = logs.length
  const own = n === 0 ? PRIOR_MEAN : logs.reduce((sum, log) => sum + log, 0) / n
  const squares = logs.reduce((sum, log) => sum + (log - own) ** 2, 0)
  const mean = (MEAN_WORTH * PRIOR_MEAN + n * own) / (MEAN_WORTH + n)
  // Normal-inverse-gamma: a mean far from the assumed one widens the spread while little is known.
  const surprise = ((MEAN_WORTH * n) / (MEAN_WORTH + n)) * (own - PRIOR_MEAN) ** 2
  const spread = Math.sqrt(
    (SPREAD_WORTH * PRIOR_SPREAD ** 2 + squares + surprise) / (SPREAD_WORTH + n),
  )
  // A little noise around the observed ratios fills the gaps between them; `shrink` keeps their spread.
  const ownSpread = n > 1 ? Math.sqrt(squares / n) : 0
  const noise = n > 1 ? 0.4 * ownSpread * n ** -0.2 : 0
  const shrink = noise > 0 ? 1 / Math.sqrt(1 + (noise / ownSpread) ** 2) : 1
  const random = randomFrom(SEED)
  const fromOwn = n > 1 ? Math.round((TABLE_SIZE * n) / (n + SHAPE_WORTH)) : 0
  const ratios = Float64Array.from({ length: TABLE_SIZE }, (_, i) => {
    const deviation = normal(random)
    if (i >= fromOwn) return Math.exp(mean + spread * deviation)
    return Math.exp(own + shrink * (logs[i % n]! - own + noise * deviation))
  }).toSorted()
  return { ratios, sharedSpread: spread / Math.sqrt(MEAN_WORTH + n) }
}

/** A draw from the standard normal distribution (Box–Muller). */
export const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** Position of the first ratio above the threshold. */
export const firstAbove = (ratios: Float64Array, threshold: number): number => {
  let low = 0
  let high = ratios.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (ratios[middle]! > threshold) high = middle
    else low = middle + 1
  }
  return low
}
