import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as contract from '@daywright/contract'
import { z } from 'zod'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateDecoders } from './contract-decoders.ts'

type Decoder = {
  parse: (value: unknown) => unknown
  safeParse: (value: unknown) => { success: boolean; data?: unknown }
  array: () => Decoder
}

let folder = ''
let decoders: Record<string, Decoder> = {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daywright-decoders-'))
  const file = join(folder, 'decoders.ts')
  writeFileSync(file, generateDecoders(contract))
  decoders = (await import(pathToFileURL(file).href)) as Record<string, Decoder>
})
afterAll(() => rm(folder, { recursive: true }))

const schemas = Object.entries<unknown>(contract).filter(
  (entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType,
)
const examples = schemas.flatMap(([name, schema]) =>
  ((schema.meta()?.examples ?? []) as unknown[]).map((example) => ({ name, schema, example })),
)
/** Checked by Zod but not by a decoder: lengths, ranges, and custom refinements. */
const unheld = new Set(['too_small', 'too_big', 'custom'])
const oddValues = [null, true, 1, 1.5, 'some text', '2026-03-02T08:00:00.000Z', [], {}, undefined]

const decoderOf = (name: string) => {
  const decoder = decoders[name]
  if (!decoder) throw new Error(`There is no decoder for ${name}`)
  return decoder
}

describe('a decoder', () => {
  const decoded = examples.filter(
    ({ name }) => !/^New|Changes$|Input$|^Clear|^Reference|^BlockSkip$/.test(name),
  )

  it.each(decoded)('reads the example of $name as Zod does', ({ name, schema, example }) => {
    expect(decoderOf(name).parse(example)).toEqual(schema.parse(example))
    expect(decoderOf(name).array().parse([example])).toEqual([schema.parse(example)])
  })

  it.each(decoded)('refuses for $name what Zod refuses', ({ name, schema, example }) => {
    for (const odd of variantsOf(example)) {
      const ours = decoderOf(name).safeParse(odd)
      const zods = schema.safeParse(odd)
      const isUnheld = zods.error?.issues.every(({ code }) => unheld.has(code)) ?? false
      if (isUnheld) continue
      expect({ odd, success: ours.success, data: ours.data }).toEqual({
        odd,
        success: zods.success,
        data: zods.data,
      })
    }
  })

  it('leaves the records in an event as they were sent', () => {
    const at = '2026-11-20T16:00:00.000Z'
    const event = { ...exampleOf('Event'), before: { dueAt: null }, after: { dueAt: at } }

    expect(decoderOf('Event').parse(event)).toMatchObject({ after: { dueAt: at } })
  })

  it('reports where a response differs from the contract', () => {
    const page = exampleOf('TaskPage') as { data: object[] }
    const odd = { ...page, data: [...page.data, { ...page.data[0], dueAt: 7 }] }

    expect(() => decoderOf('TaskPage').parse(odd)).toThrow('Expected a timestamp at data.1.dueAt')
  })

  it('does not exist for a schema that transforms a request', () => {
    expect(decoders).not.toHaveProperty('NewTask')
    expect(decoders).not.toHaveProperty('ChangesQuery')
  })
})

const exampleOf = (name: string) =>
  examples.find((each) => each.name === name)?.example as Record<string, unknown>

/** The value with each of its parts replaced by an invalid one, removed, or extended. */
function* variantsOf(value: unknown): Generator {
  yield* oddValues
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const odd of variantsOf(item)) yield value.with(index, odd)
    }
  } else if (typeof value === 'object' && value !== null) {
    yield { ...value, unheardOf: 1 }
    for (const [name, field] of Object.entries(value)) {
      const { [name as never]: _, ...without } = value
      yield without
      for (const odd of variantsOf(field)) yield { ...value, [name]: odd }
    }
  }
}
