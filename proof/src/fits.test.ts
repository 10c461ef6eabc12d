// A planted fault is a patch of the service's sources: when they change, `npm run faults -- refresh` adapts it.
import { globSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { harnesses } from './harnesses.ts'
import { readPlanted } from './kit/plant.ts'

const loaded = await Promise.all(Object.values(harnesses).map((load) => load()))

const misfitsOf = (patches: string[], besides: string[] = []) =>
  patches.flatMap((patch) => {
    try {
      readPlanted([patch, ...besides])
      return []
    } catch (error) {
      return [`${patch}: ${String(error)}`]
    }
  })

describe('every planted fault', () => {
  it.each(loaded)(
    'applies to the sources, together with the patches of its harness: $harness.name',
    ({ harness }) => {
      const patches = harness.mutants.flatMap(({ patch = [] }) => patch)

      expect(misfitsOf(patches, harness.patches)).toEqual([])
      expect(harness.mutants.length).toBeGreaterThan(0)
    },
  )

  it('is planted by a harness', () => {
    const used = loaded.flatMap(({ harness }) => harness.mutants.map(({ patch }) => patch))
    const unused = globSync('proof/faults/**/*.patch').filter((patch) => !used.includes(patch))

    expect(unused).toEqual([])
  })
})

it('every other patch applies to the sources', () => {
  const others = globSync(['proof/src/**/*.patch', 'server/bench/*.patch'])

  expect(misfitsOf(others)).toEqual([])
  expect(others.length).toBeGreaterThan(0)
})
