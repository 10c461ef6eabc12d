// A command: one operation of the API with random input, compared with the model.
import fc from 'fast-check'
import { type Act, type Credential, type Rules, type Scene, sceneOf } from './call.ts'
import type { World } from './world.ts'

export type Step = {
  check(world: Readonly<World>): boolean
  run(world: World): Promise<void>
  toString(): string
}

export type Command = {
  operation: string
  /** Random steps; with `keyed`, mostly with an Idempotency-Key. */
  steps: (keyed: boolean) => fc.Arbitrary<Step>
}

const many = (as: Credential, times: number) => Array<Credential>(times).fill(as)
const rest: Credential[] = [
  'read',
  'write',
  'planner',
  'issued',
  'revoked',
  'anonymous',
  'nonsense',
]
const byKey = fc.constantFrom(...many('key', 40), ...many('session', 8), ...rest, 'cross-site')
const bySession = fc.constantFrom(...many('session', 30), 'key', ...rest, 'cross-site')

const key = (without: number) =>
  fc.oneof(
    { weight: without, arbitrary: fc.constant(undefined) },
    { weight: 14, arbitrary: fc.constantFrom('one', 'two', 'three', '~!') },
    { weight: 1, arbitrary: fc.constantFrom('with space', 'x'.repeat(256), 'é') },
  )

const acts = (rules: Rules, keyed: boolean): fc.Arbitrary<Act> =>
  fc.record({
    who: fc.constantFrom(0, 0, 1),
    as: rules.sessionOnly ? bySession : byKey,
    key: keyed ? key(4) : key(150),
    place: fc.nat(1000),
  })

export function command<Params>(
  operation: string,
  rules: Rules,
  params: fc.Arbitrary<Params>,
  run: (scene: Scene, params: Params) => Promise<unknown>,
): Command {
  return {
    operation,
    steps: (keyed) =>
      fc.tuple(acts(rules, keyed), params).map(([act, drawn]) => ({
        check: ({ isOver }) => !isOver(),
        run: async (world) => {
          world.taken += 1
          await run(sceneOf(world, act), drawn)
        },
        toString: () => `${operation} ${briefly(act)} ${briefly(drawn)}`,
      })),
  }
}

/** A step that is not an operation of the API, such as the passing of time. */
export const event = (name: string, run: (scene: Scene) => Promise<unknown>): Command =>
  command(name, {}, fc.constant({}), run)

const untold = ['known', 'required']

function briefly(value: unknown) {
  const text = JSON.stringify(value ?? null, (name, inner: unknown) => {
    if (untold.includes(name)) return undefined
    const isLong = typeof inner === 'string' && inner.length > 60
    return isLong ? `${inner.slice(0, 20)}… (${inner.length})` : inner
  })
  return text.replaceAll('"', '')
}
