// The time of a refusal must not reveal whether an account exists. Password hashes take nearly all of that time,
// so they are counted. The median times are compared as well.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dose } from '../kit/harness.ts'
import { type Instance, signIn, wrongPassword } from './instance.ts'

/** Twenty pairs detect a hash that costs 50 % more; three hundred detect less. */
const tolerance = { short: 0.5, long: 0.15 }
const pairs = { short: 20, long: 300 }

export async function timing(instance: Instance, dose: Dose) {
  const known: number[] = []
  const unknown: number[] = []
  const before = instance.hashes()
  for (let pair = 0; pair < pairs[dose]; pair += 1) {
    const { email } = await instance.newAccount()
    const asks = [
      () => took(email).then((time) => known.push(time)),
      () => took(instance.newEmail()).then((time) => unknown.push(time)),
    ]
    for (const ask of pair % 2 === 0 ? asks : asks.toReversed()) await ask()
  }
  await sleep(50) // the log lines that count the hashes are still on their way
  const hashes = instance.hashes() - before
  if (hashes !== pairs[dose] * 2) {
    return { findings: [`${pairs[dose] * 2} refusals took ${hashes} hashes`], figures: [] }
  }
  const ratio = median(unknown) / median(known)
  const figure = `${known.length} refusals each: ${median(known).toFixed(1)} ms with an account, ${median(unknown).toFixed(1)} ms without`
  const isTold = Math.abs(ratio - 1) > tolerance[dose]
  return {
    findings: isTold ? [`the time tells whether there is an account: ${figure}`] : [],
    figures: [figure],
  }

  async function took(email: string) {
    const began = performance.now()
    const { status } = await signIn(instance.first, email, wrongPassword, instance.newAddress())
    if (status !== 401) throw new Error(`a wrong password was answered ${status}`)
    return performance.now() - began
  }
}

function median(times: number[]) {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
