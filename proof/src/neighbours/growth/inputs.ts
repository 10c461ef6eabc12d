// Inputs in which one token is repeated, so that work that grows faster than its input shows.
import type { Random } from '../../kit/random.ts'

export type Input = { name: string; write: (times: number) => string }

export type Format = {
  /** What surrounds the repeated token, by name. */
  wrappers: Record<string, (repeated: string) => string>
  /** Tokens, and the names of the wrappers that they are repeated in. `{n}` stands for the number of the repetition. */
  groups: { within: string[]; tokens: string[] }[]
}

/** The part of a format that is within these wrappers. */
export const within = ({ wrappers, groups }: Format, names: string[]): Format => ({
  wrappers: Object.fromEntries(names.map((name) => [name, wrappers[name]!])),
  groups: groups
    .map((group) => ({ ...group, within: group.within.filter((name) => names.includes(name)) }))
    .filter((group) => group.within.length > 0),
})

/** Every token in each of its wrappers, and random sequences of the format's tokens in random wrappers. */
export function inputsOf({ wrappers, groups }: Format, random: Random, randomInputs: number) {
  const inputs = groups.flatMap(({ within, tokens }) =>
    within.flatMap((wrapper) => tokens.map((token) => inputOf(wrapper, token))),
  )
  const all = groups.flatMap(({ tokens }) => tokens)
  for (let count = 0; count < randomInputs; count += 1) {
    const parts = Array.from({ length: random.between(1, 4) }, () =>
      random.chance(0.3) ? anyCharacter() : random.pick(all),
    )
    inputs.push(inputOf(random.pick(Object.keys(wrappers)), parts.join('')))
  }
  return inputs

  function inputOf(wrapper: string, token: string): Input {
    const wrap = wrappers[wrapper]
    if (!wrap) throw new Error(`No wrapper ${wrapper}`)
    return {
      name: `${JSON.stringify(token)} in ${wrapper}`,
      write: (times) => wrap(repeat(token, times)),
    }
  }

  function anyCharacter() {
    const code = random.chance(0.8) ? random.between(0, 0x17f) : random.between(0x180, 0xd7ff)
    return String.fromCodePoint(code)
  }
}

/** How often to repeat the token of an input so that it has about this many bytes. */
export function timesFor({ write }: Input, bytes: number) {
  const few = Buffer.byteLength(write(100))
  const many = Buffer.byteLength(write(200))
  const each = Math.max(0.1, (many - few) / 100)
  return Math.max(4, Math.floor((bytes - few) / each) + 100)
}

const repeat = (token: string, times: number) =>
  token.includes('{n}')
    ? Array.from({ length: times }, (_, n) => token.replaceAll('{n}', String(n))).join('')
    : token.repeat(times)

/** Tokens that are separated by `¦`. */
export const split = (tokens: string) => tokens.split('¦')
