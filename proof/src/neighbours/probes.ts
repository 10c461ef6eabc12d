// What the bystander waits for during an attack: a calendar that is read, a preview, a webhook.
import { setTimeout as sleep } from 'node:timers/promises'
import { fileWith, honestSite } from '../calendars/sites.ts'
import { openMailbox } from './mailbox.ts'

/** Does the same again and again until told to stop, and returns the longest time that it took. */
export type Probe = {
  settings?: Record<string, string>
  run: (origin: string, key: string, until: AbortSignal) => Promise<number>
  close: () => void
}

export const probes = {
  delivery: async (): Promise<Probe> => deliver(await openMailbox()),

  /** A webhook, while no name server answers. */
  async deliveryWithoutNames(): Promise<Probe> {
    const mailbox = await openMailbox()
    return { ...deliver(mailbox), settings: { PROOF_NAME_SERVER: mailbox.nameServer } }
  },

  async reading(): Promise<Probe> {
    const sites = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(honestSite))
    for (const site of sites) site.answer.body = fileWith([meeting()])
    return {
      run: async (origin, key, until) => {
        const times: number[] = []
        for (const { url } of sites) {
          if (until.aborted) break
          times.push(await timeOf(() => readCalendar(origin, key, url)))
          await pause(until)
        }
        return Math.max(...times)
      },
      close: () => sites.forEach(({ close }) => close()),
    }
  },

  async preview(): Promise<Probe> {
    const site = await honestSite(0)
    site.answer.body = fileWith([meeting()])
    return {
      run: async (origin, key, until) => {
        const times: number[] = []
        while (!until.aborted) {
          const isShown = () => post(`${origin}/api/calendars/preview`, key, { url: site.url })
          times.push(await timeOf(async () => (await isShown()).ok))
          await pause(until)
        }
        return Math.max(...times)
      },
      close: site.close,
    }
  },
}

export type ProbeName = keyof typeof probes

const giveUpMs = 20_000

const deliver = (mailbox: Awaited<ReturnType<typeof openMailbox>>): Probe => ({
  run: async (origin, key, until) => {
    await mailbox.subscribe(origin, key)
    return mailbox.deliver(origin, key, until)
  },
  close: () => mailbox.close(),
})

/** Infinity if the work fails. */
async function timeOf(work: () => Promise<boolean>) {
  const began = performance.now()
  return (await work().catch(() => false)) ? performance.now() - began : Infinity
}

const pause = (until: AbortSignal) => sleep(1000, undefined, { signal: until }).catch(() => {})

const meeting = () => {
  const startAt = new Date(Date.now() + 86_400_000)
  return { uid: 'meeting', startAt, endAt: new Date(startAt.getTime() + 3_600_000) }
}

/** Adds a calendar and waits until it has been read. */
async function readCalendar(origin: string, key: string, url: string) {
  const began = performance.now()
  const added = await post(`${origin}/api/calendars`, key, { url })
  const { id } = (await added.json()) as { id: string }
  while (performance.now() - began < giveUpMs) {
    const headers = { authorization: `Bearer ${key}` }
    const answer = await fetch(`${origin}/api/calendars/${id}`, { headers })
    const { fetchedAt } = (await answer.json()) as { fetchedAt: string | null }
    if (fetchedAt !== null) return true
    await sleep(50)
  }
  return false
}

const post = (url: string, key: string, body: object) =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(giveUpMs),
  })
