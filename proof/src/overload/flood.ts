// Far more load than the service can handle, from closed-loop and open-loop clients: its goodput and latency must
// hold, and it must recover at once.
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf } from '../kit/memory.ts'
import type { Server } from '../kit/server.ts'
import type { Load, Outcome } from './generate.ts'
import type { startGenerator } from './generator.ts'

/** MAX_IN_FLIGHT and its reserve: divided by the throughput, the mean time that a request waits when all are taken. */
const mostInFlight = 300
const mostTimesTheMean = 3
const mostGrowth = 64
/** Refusals are delayed: otherwise a client would retry thousands of times a second. */
const mostRefusalsPerClientAndSecond = 0.6
const tailMs = 500
/** The largest difference in goodput between rounds on a machine that does nothing else. */
const mostSpread = 0.25
const mostRounds = 5

/** 16 clients saturate the service: that is 1×. */
const clients = 16

export const waves = ['closed 10×', 'closed 50×', 'open 10×', 'open 50×'] as const
export type Wave = (typeof waves)[number]

type Flooding = {
  server: Server
  generator: ReturnType<typeof startGenerator>
  requests: string[]
  /** How often a wave is sent at least; the round with the median goodput counts. */
  rounds: number
  /** As a share of the goodput at 1×; short rounds vary by a fifth. */
  leastGoodput: number
  /**
   * The limit for the p99 and for the recovery on a quiet machine. If it is not set, the limit depends on the
   * throughput and on the time that the host took.
   */
  longestMs?: number
  ms: number
  /** Stops after this many faulty rounds: a planted fault need not be found more often. */
  enoughFaulty: number
  say(line: string): void
}

type Round = { outcome: Outcome; goodput: number; growth: number; faults: string[] }

export async function flood(wave: Wave, flooding: Flooding) {
  const rounds: Round[] = []
  while (rounds.length < flooding.rounds || (isUnsteady(rounds) && rounds.length < mostRounds)) {
    const round = await once(wave, flooding, { endsAtOnce: rounds.length > 0 })
    flooding.say(`  ${wave}: ${describe(round)}`)
    rounds.push(round)
    if (rounds.filter(({ faults }) => faults.length > 0).length >= flooding.enoughFaulty) break
  }
  const sorted = rounds.toSorted((a, b) => b.goodput - a.goodput || 0)
  const judged = sorted[Math.floor(sorted.length / 2)]
  return {
    findings: (judged?.faults ?? []).map((fault) => `${wave}: ${fault}`),
    figure: judged ? `${wave} ${describe(judged)}` : wave,
  }
}

/** Whether the machine's speed has varied between the rounds; if so, more rounds follow, whatever was found. */
function isUnsteady(rounds: Round[]) {
  const all = rounds.map(({ goodput }) => goodput)
  return Math.max(...all) - Math.min(...all) > mostSpread
}

/**
 * Sends the wave between two measurements at 1×, so that a slow phase of the machine is noticed. The first wave waits
 * for every answer; the others end at once, since refusals are held for seconds.
 */
async function once(wave: Wave, flooding: Flooding, end: { endsAtOnce: boolean }): Promise<Round> {
  const { server, generator, requests, ms } = flooding
  const port = Number(new URL(server.origin).port)
  const at = { port, requests }
  const calm: Load = { ...at, kind: 'closed', clients, ms: ms * 0.6, settleMs: ms * 0.1 }
  const before = await generator.offer(calm)
  const held = await memoryOf(server)
  const times = wave.endsWith('50×') ? 50 : 10
  const rush: Load = wave.startsWith('closed')
    ? { ...at, kind: 'closed', clients: clients * times, ms, settleMs: ms * 0.3 }
    : {
        ...at,
        kind: 'open',
        perSecond: before.servedPerSecond * times,
        atMost: clients * times * 4,
        ms,
        settleMs: ms * 0.3,
      }
  let heldInRush = held
  const outcome = await generator.offer({ ...rush, ...end, tailMs }, async () => {
    heldInRush = await memoryOf(server)
  })
  if (end.endsAtOnce) await sleep(tailMs)
  const after = await generator.offer(calm)
  const normal = (before.servedPerSecond + after.servedPerSecond) / 2
  const goodput = outcome.servedPerSecond / normal
  const growth = (heldInRush.rss - held.rss) / 1_048_576
  const sent = rush.kind === 'closed' ? rush.clients : rush.atMost
  const refusedLater = end.endsAtOnce ? sent - mostInFlight : 0
  const mostRefused = (sent * mostRefusalsPerClientAndSecond * (ms + tailMs)) / 1000 - refusedLater
  const meanMs = (mostInFlight / outcome.servedPerSecond) * 1000
  const longestMs = flooding.longestMs ?? meanMs * mostTimesTheMean + outcome.stolenMs
  const faults = judge(outcome, { growth, mostRefused, longestMs })
  if (!(goodput >= flooding.leastGoodput)) {
    faults.push(`serves ${percent(goodput)} of what it serves at 1×`)
  }
  return { outcome, goodput, growth, faults }
}

type Measured = { growth: number; mostRefused: number; longestMs: number }

function judge(outcome: Outcome, { growth, mostRefused, longestMs }: Measured) {
  const { served, refused, p99Ms, recoveredMs, wrong, broken } = outcome
  const faults = Object.entries(wrong).map(([what, count]) => `${count} were answered ${what}`)
  if (broken > 0) faults.push(`${broken} were not answered`)
  if (refused > mostRefused) faults.push(`refuses ${refused} while it serves ${served}`)
  if (!(p99Ms <= longestMs)) faults.push(`p99 of the served is ${p99Ms.toFixed(0)} ms`)
  if (!(recoveredMs <= longestMs)) faults.push(`serves again after ${recoveredMs.toFixed(0)} ms`)
  if (growth > mostGrowth) faults.push(`holds ${growth.toFixed(0)} MB more`)
  return faults
}

const describe = ({ outcome, goodput, growth }: Round) =>
  `${percent(goodput)} (${outcome.servedPerSecond.toFixed(0)}/s, ${outcome.refused} refused, ` +
  `${outcome.stolenMs} ms stolen), ` +
  `p99 ${outcome.p99Ms.toFixed(0)} ms, ${growth.toFixed(0)} MB, again after ${outcome.recoveredMs.toFixed(0)} ms`

const percent = (share: number) => `${(share * 100).toFixed(0)} %`
