// The distribution of a user's estimate errors: a table of ratios of actual to estimated time to draw from.
import { randomFrom } from '../local-search/random.ts'

/** The prior, without any data: the median task takes 10 % longer than estimated, with a wide spread. */
const PRIOR_MEAN = Math.log(1.1)
const PRIOR_SPREAD = 0.4
/** The weights of the prior for the mean, the spread and the shape of the distribution, in numbers of the
 *  user's own tasks. */
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
  /** The standard error of the mean log ratio, which all tasks share. It is large if few tasks were
   *  completed. */
  sharedSpread: number
}

/** The distribution of the next error, from the ratios of completed tasks. With few ratios, the prior has
 *  much weight; with many, the table follows their empirical distribution. */
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
