// A planted fault is a change of the service's sources: when they change, it must be adapted.
import { describe, expect, it } from 'vitest'
import { harnesses } from './harnesses.ts'
import { planted } from './kit/plant.ts'

describe('every planted fault', () => {
  for (const [name, load] of Object.entries(harnesses)) {
    it(`fits: ${name}`, async () => {
      const { harness } = await load()
      const misfits = harness.mutants.flatMap(({ edits = [] }) => {
        try {
          planted(edits)
          return []
        } catch (error) {
          return [String(error)]
        }
      })
      expect(misfits).toEqual([])
      expect(harness.mutants.length).toBeGreaterThan(0)
    })
  }
})
