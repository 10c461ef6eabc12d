// Calendars on hostile servers, and a worker that is killed while it fetches or publishes: no event may be lost or
// duplicated, a failed fetch must not free time, and the other calendars must be read in time.
import { faultsOf } from '../kit/faults.ts'
import type { Harness, Trial } from '../kit/harness.ts'
import { type Random, randomFrom } from '../kit/random.ts'
import { blocksDuringEvents, storedOf, wrongEvents, wrongHistory } from './judge.ts'
import { killInMidPublication } from './publications.ts'
import { type Answer, fileOf, fileWith, hostileSites, otherKinds, slowKinds } from './sites.ts'
import { type Honest, newWorld, slots, type State, type World } from './world.ts'

const doses = { short: 1, long: 8 }
const people = 6
const slowServers = 3 * slots
/** The time limit for reading the honest calendars while all slow servers are being fetched. */
const fairMs = 25_000
/** The memory limit of a worker that reads several files of up to 50 MB concurrently. */
const mostMemoryMb = 900
/** A job of a killed worker is resumed after 17 s. */
const resumedMs = 35_000

export const harness: Harness = {
  name: 'calendars',
  mostTogether: 2,
  prove,
  mutants: faultsOf('calendars'),
  atOnce: 2,
  mutantsInShort: 1,
}

/** The parts of the harness; a planted fault names the one that must find it. */
const parts = {
  hostile: meetHostileServers,
  kills: killInMidRefresh,
  publications: killInMidPublication,
}

async function prove({ dose, seed, postgres, mutant, signal, say }: Trial) {
  const random = randomFrom(seed)
  const world = await newWorld({ postgres, random, signal, ...(mutant && { mutant }) })
  const findings: string[] = []
  const figures: string[] = []
  const rounds = mutant ? 1 : doses[dose]
  try {
    for (let round = 1; round <= rounds && findings.length === 0; round += 1) {
      for (const [name, run] of Object.entries(parts)) {
        if (mutant?.control !== undefined && mutant.control !== name) continue
        if (mutant && findings.length > 0) continue
        const found = await run(world, random.fork())
        findings.push(...found.findings)
        if (round === rounds) figures.push(...found.figures)
      }
      if (dose === 'long') say(`  ${round} rounds`)
    }
    if (signal.aborted) findings.push('out of time')
  } finally {
    await world.leave()
  }
  return {
    tried: `${rounds} × ${otherKinds.length + slowServers} hostile servers and 2 kills`,
    findings: findings.map((finding) => `${finding} (--seed ${seed})`),
    figures,
  }
}

type Found = { findings: string[]; figures: string[] }
type Victim = Awaited<ReturnType<World['subscribe']>> & {
  site: Awaited<ReturnType<typeof hostileSites>>['sites'][number]
}

/**
 * Slow servers occupy the slots; other hostile servers send invalid data, redirects or too much. Honest calendars
 * must be read meanwhile. The others are judged without the slow servers: beside them, any fetch of more than 3 s is
 * aborted as too slow.
 */
async function meetHostileServers(world: World, random: Random): Promise<Found> {
  const kinds = [
    ...Array.from({ length: slowServers }, () => random.pick(slowKinds)),
    ...otherKinds.toSorted(() => random.next() - 0.5),
  ]
  const hostile = await hostileSites(kinds)
  const findings: string[] = []
  try {
    const victims: Victim[] = []
    for (const site of hostile.sites) {
      const account = site.isDav ? { username: 'ada', password: 'secret' } : {}
      victims.push({ site, ...(await world.subscribe(site.url, account)) })
    }
    const isAsked = await world.until(() => hostile.countRequests() >= slots, 10_000)
    if (!isAsked) findings.push('the hostile servers are not asked')
    const began = performance.now()
    const honest = await newPeople(world)
    const isFair = await world.until(() => areRight(world, honest), fairMs)
    const fairSeconds = (performance.now() - began) / 1000
    if (!isFair) findings.push('slow servers keep the calendars of others from being read')
    const isSlow = ({ site }: Victim) => slowKinds.includes(site.kind)
    const others = victims.filter((victim) => !isSlow(victim))
    for (const { site } of victims.filter(isSlow)) site.close()
    await world.fetchNow(others)
    const isJudged = async ({ state, site }: Victim) => {
      const { error, eventCount } = await state()
      return error !== null || (site.error === undefined && eventCount > 0)
    }
    await world.until(async () => (await Promise.all(others.map(isJudged))).every(Boolean), 15_000)
    for (const { site, state } of others) {
      findings.push(...wrongState(site.kind, await state(), site.error))
    }
    if (hostile.countForbidden() > 0) findings.push('a private address was asked')
    const peak = world.workerPeakMb()
    if (peak > mostMemoryMb) findings.push(`the worker needs ${peak.toFixed(0)} MB`)
    if (world.workerExit() !== null) findings.push(`the worker has ended: ${world.workerExit()}`)
    for (const each of honest) findings.push(...(await wrongHistory(world.db, each)))
    const figure =
      `the calendars of ${2 * people} others were read ${fairSeconds.toFixed(1)} s after ` +
      `${slowServers} slow servers were asked by ${slots} slots; the worker had at most ${peak.toFixed(0)} MB`
    return { findings, figures: [figure] }
  } finally {
    hostile.close()
  }
}

function wrongState(kind: string, { error, eventCount }: State, wanted: RegExp | undefined) {
  if (wanted) return wanted.test(error ?? '') ? [] : [`${kind}: the user reads ${error}`]
  return error === null && eventCount > 0 && eventCount <= 20_000
    ? []
    : [`${kind}: ${eventCount} events, the user reads ${error}`]
}

/** Kills a worker while it fetches some calendars; meanwhile the servers of the other calendars fail. */
async function killInMidRefresh(world: World, random: Random): Promise<Found> {
  const { db } = world
  const findings: string[] = []
  const all = await newPeople(world)
  if (!(await world.until(() => areRight(world, all), 20_000))) {
    return { findings: ['the calendars are not read'], figures: [] }
  }
  const [held, failing] = [all.slice(0, slots), all.slice(slots)]
  const before = new Map(await Promise.all(all.flatMap(({ users }) => users).map(idsOf)))
  for (const each of held) {
    moveOne(each, random)
    each.site.isHeld = true
  }
  const users = held.flatMap((each) => each.users)
  await world.fetchNow(users)
  const inFlight = () => held.reduce((sum, { site }) => sum + site.countWaiting(), 0)
  const wanted = random.between(1, slots)
  if (!(await world.until(() => inFlight() >= wanted, 15_000))) findings.push('nothing is fetched')
  const cutOff = inFlight()
  await world.replaceWorker()
  const killedAt = performance.now()
  for (const { site } of held) site.letGo()
  findings.push(...(await failEach(world, failing)))
  if (!(await world.until(() => areRight(world, held), resumedMs))) {
    findings.push('a refresh that was cut off by a kill is not resumed')
  }
  const seconds = (performance.now() - killedAt) / 1000
  // Fetches the same calendars once more without a change, which must not be recorded in the history.
  await world.fetchNow(users)
  const asked = new Map(held.map(({ site }) => [site, site.requests]))
  const areAsked = () => held.every(({ site }) => site.requests >= (asked.get(site) ?? 0) + 2)
  if (!(await world.until(areAsked, 15_000))) findings.push('a calendar is not fetched again')
  for (const each of all) {
    findings.push(...(await wrongHistory(db, each)))
    for (const { id } of each.users) {
      const wrong = await wrongEvents(db, id, each.meetings)
      if (wrong) findings.push(`calendar ${each.number}: ${wrong}`)
      const [, ids] = await idsOf({ id })
      const isSame =
        ids.length === before.get(id)?.length && ids.every((one) => before.get(id)?.includes(one))
      if (!isSame && !wrong) findings.push('events have other ids after a reading')
    }
  }
  findings.push(...(await wrongPlan(held[0] as Honest)))
  const figure = `a kill cut off ${cutOff} fetches, all resumed after ${seconds.toFixed(1)} s`
  return { findings, figures: [figure] }

  async function idsOf({ id }: { id: string }) {
    return [id, (await storedOf(db, id)).map((row) => row.id)] as const
  }

  async function wrongPlan({ users: [user] }: Honest) {
    if (!user) return []
    for (const number of [1, 2, 3, 4, 5, 6]) {
      await user.call('POST', '/api/tasks', { title: `Task ${number}`, estimateMinutes: 240 })
    }
    await user.call('POST', '/api/planner')
    return blocksDuringEvents(db, [user.id])
  }
}

const cut = (file: string) => file.slice(0, -40)

/** Makes each server answer with an error or an unusable file: the events must stay, and the user is shown an error. */
async function failEach(world: World, failing: Honest[]) {
  const findings: string[] = []
  const answers: ((body: string) => Answer)[] = [
    () => ({ status: 500, body: '' }),
    (body) => ({ status: 200, body: cut(body) }),
    () => ({ status: 200, body: fileOf([]) }),
    () => ({ status: 200, body: '<html>Sign in</html>' }),
    () => ({ status: 200, body: '' }),
  ]
  for (const answer of answers) {
    for (const { site, meetings } of failing) site.answer = answer(fileWith(meetings))
    // An empty file is plausible for a calendar with few events, so it is not an error there.
    const judged = failing.filter(
      ({ site, meetings }) => site.answer.body !== fileOf([]) || meetings.length > 5,
    )
    const asked = new Map(judged.map(({ site }) => [site, site.requests]))
    const users = judged.flatMap((each) => each.users)
    await world.fetchNow(users)
    const areAsked = () => judged.every(({ site }) => site.requests >= (asked.get(site) ?? 0) + 2)
    const haveFailed = async () =>
      areAsked() &&
      (await Promise.all(users.map(({ state }) => state()))).every(({ error }) => error !== null)
    const isShown = await world.until(haveFailed, 15_000)
    if (!isShown) findings.push('a calendar that cannot be read has no error')
    for (const { users: both, meetings, number } of judged) {
      for (const { id } of both) {
        const wrong = await wrongEvents(world.db, id, meetings)
        if (wrong) findings.push(`a failure frees time: calendar ${number}: ${wrong}`)
      }
    }
    if (findings.length > 0) return findings
  }
  return findings
}

async function newPeople(world: World) {
  const honest: Honest[] = []
  for (let number = 0; number < people; number += 1) honest.push(await world.newHonest(number))
  return honest
}

async function areRight(world: World, honest: Honest[]) {
  for (const { users, meetings } of honest) {
    for (const { id } of users) {
      if ((await wrongEvents(world.db, id, meetings)) !== undefined) return false
    }
  }
  return true
}

/** A new version of the file in which one meeting is at another time. */
function moveOne(honest: Honest, random: Random) {
  const { uid } = random.pick(honest.meetings)
  const byMs = random.between(1, 5) * 3_600_000
  const later = (time: Date) => new Date(time.getTime() + byMs)
  honest.meetings = honest.meetings.map((each) =>
    each.uid === uid ? { uid, startAt: later(each.startAt), endAt: later(each.endAt) } : each,
  )
  honest.versions += 1
  honest.site.answer.body = fileWith(honest.meetings)
}
