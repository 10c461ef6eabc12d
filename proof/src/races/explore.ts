// One interleaving of a scenario, compared with the outcomes of all serial orders.
import { newPerson } from '../kit/people.ts'
import { randomFrom } from '../kit/random.ts'
import { interleave } from './interleave.ts'
import { readRows, type Outcome, outcome } from './outcome.ts'
import { type Scenario, stageFor } from './scenario.ts'
import type { Answer, Call, World } from './world.ts'

export function explorer(world: World) {
  const serial = new Map<Scenario, Outcome[]>()

  /** What is wrong with the outcome, if anything; and the order of the steps. */
  return async (scenario: Scenario, seed: number) => {
    const allowed = serial.get(scenario) ?? (await serialOutcomes(scenario))
    serial.set(scenario, allowed)
    const failed = allowed.flatMap(({ answers }) => answers).find(isFailure)
    if (failed) return { fault: `one after the other, ${failed}`, trace: [] }
    const random = randomFrom(seed)
    let trace: string[] = []
    const found = await play(scenario, async (calls, send) => {
      // With a key a request holds its locks until its response is stored.
      const keyed = calls.map((call, number) =>
        call.key === undefined && isRepeatable(call) && random.next() < 0.6
          ? { ...call, key: `race-${number}` }
          : call,
      )
      const run = await interleave(
        keyed.map((call, number) => () => send(number, call)),
        random,
        world.observer,
      )
      trace = [
        ...keyed.map(({ key }, number) => `${number} ${key ? `with key ${key}` : 'without key'}`),
        ...run.trace,
      ]
      return run.answers
    })
    return { fault: findFault(found, allowed), trace }
  }

  async function serialOutcomes(scenario: Scenario) {
    const outcomes: Outcome[] = []
    const { length } = await calls(scenario)
    for (const order of orders(length)) {
      const found = await play(scenario, async (calls, send) => {
        const answers: Answer[] = []
        for (const number of order) {
          const call = calls[number]
          if (call) answers[number] = await send(number, call)
        }
        return answers
      })
      outcomes.push(found)
    }
    return outcomes
  }

  async function calls(scenario: Scenario) {
    return scenario.prepare(stageFor(world, await newPerson(world.observer)))
  }

  /** Prepares the scenario for a new user, makes the requests, and returns their outcome. */
  async function play(
    scenario: Scenario,
    act: (
      calls: Call[],
      send: (number: number, call: Call) => Promise<Answer>,
    ) => Promise<Answer[]>,
  ) {
    const me = await newPerson(world.observer)
    const prepared = await scenario.prepare(stageFor(world, me))
    const before = await readRows(world.observer, me.id)
    const answers = await act(prepared, (number, call) => world.call(number, me.key, call))
    return outcome(before, answers, await readRows(world.observer, me.id))
  }
}

const isRepeatable = ({ method }: Call) => ['POST', 'PUT', 'PATCH'].includes(method)
const isFailure = (answer: string) => answer.startsWith('{"status":5')

function findFault(found: Outcome, allowed: Outcome[]) {
  const failed = found.answers.find(isFailure)
  if (failed) return failed
  const text = JSON.stringify(found)
  if (allowed.some((one) => JSON.stringify(one) === text)) return undefined
  const distances = allowed.map((one) => difference(one, found))
  return distances.toSorted((one, other) => one.length - other.length)[0] ?? 'no order at all'
}

/** The difference between a serial outcome and the one that was found. */
function difference(serial: Outcome, found: Outcome) {
  const linesOf = ({ answers, rows }: Outcome) => [
    ...answers.map((answer, number) => `${number}→${answer}`),
    ...rows,
  ]
  const [expected, actual] = [linesOf(serial), linesOf(found)]
  const only = (lines: string[], others: string[]) => lines.filter((line) => !others.includes(line))
  return `has ${only(actual, expected).join(' ')} instead of ${only(expected, actual).join(' ')}`
}

function orders(length: number): number[][] {
  if (length === 0) return [[]]
  return orders(length - 1).flatMap((order) =>
    Array.from({ length }, (_, place) => order.toSpliced(place, 0, length - 1)),
  )
}
