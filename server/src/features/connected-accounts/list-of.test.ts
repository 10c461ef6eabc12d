import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { listOf } from './list-of.ts'

const Named = z.object({ name: z.string(), color: z.string().optional().catch(undefined) })

describe('a list of an answer', () => {
  it('has the items as they are read', () => {
    const read = listOf(Named).parse([{ name: 'a', color: 1, more: true }, { name: 'b' }])

    expect(read).toEqual([{ name: 'a' }, { name: 'b' }])
  })

  it('is refused with one error, however many items are wrong', () => {
    const { error } = listOf(Named).safeParse([
      { name: 'a' },
      ...Array.from({ length: 1000 }, () => ({})),
    ])

    expect(error?.issues).toHaveLength(1)
  })
})
