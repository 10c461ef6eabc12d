import * as contract from '@daywright/contract'
import { z } from 'zod'
import { describe, expect, it } from 'vitest'
import { withDates } from './answers.ts'

type Example = { name: string; schema: z.ZodType; example: unknown }

const examples: Example[] = Object.entries(contract).flatMap(([name, schema]) =>
  schema instanceof z.ZodType
    ? ((schema.meta()?.examples ?? []) as unknown[]).map((example) => ({ name, schema, example }))
    : [],
)
/** What the service answers; requests hold timestamps as text, and are never read here. */
const answers = examples.filter(
  ({ name }) => !/^New|Changes$|^TimestampInput|^Timestamp$|^Clear/.test(name),
)

describe('an answer without Zod', () => {
  it.each(answers)('$name is as the contract reads it', ({ schema, example }) => {
    expect(withDates(structuredClone(example))).toEqual(schema.parse(structuredClone(example)))
  })

  it('leaves what a person wrote as it is', () => {
    const task = { title: '2026-03-02T08:00:00.000Z', dailyRunAt: '05:00' }
    expect(withDates({ ...task })).toEqual(task)
  })
})
