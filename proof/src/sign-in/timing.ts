// Whether an address has an account must not show in how long a refusal takes.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dose } from '../kit/harness.ts'
import { type House, signIn, wrongPassword } from './house.ts'

const tolerance = 0.15
const pairs = { short: 20, long: 300 }
const plain = 0.5
const rounds = 3

export async function timing(house: House, dose: Dose) {
  const known: number[] = []
  const unknown: number[] = []
  let ratio = 0
  // A busy machine blurs it; what stays apart over several rounds is apart.
  for (let round = 0; round < rounds; round += 1) {
    const before = house.hashes()
    for (let pair = 0; pair < pairs[dose]; pair += 1) {
      const { email } = await house.newAccount()
      const asks = [
        () => took(email).then((time) => known.push(time)),
        () => took(house.newEmail()).then((time) => unknown.push(time)),
      ]
      for (const ask of pair % 2 === 0 ? asks : asks.toReversed()) await ask()
    }
    await sleep(50)
    const hashes = house.hashes() - before
    if (hashes !== pairs[dose] * 2) {
      return { findings: [`${pairs[dose] * 2} refusals took ${hashes} hashes`], figures: [] }
    }
    ratio = median(unknown) / median(known)
    if (Math.abs(ratio - 1) <= tolerance || Math.abs(ratio - 1) > plain) break
  }
  const figure = `${known.length} refusals each: ${median(known).toFixed(1)} ms with an account, ${median(unknown).toFixed(1)} ms without`
  return Math.abs(ratio - 1) <= tolerance
    ? { findings: [], figures: [figure] }
    : { findings: [`the time tells who has an account: ${figure}`], figures: [] }

  async function took(email: string) {
    const began = performance.now()
    const { status } = await signIn(house.first, email, wrongPassword, house.newAddress())
    if (status !== 401) throw new Error(`a wrong password was answered ${status}`)
    return performance.now() - began
  }
}

function median(times: number[]) {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
