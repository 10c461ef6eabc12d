import { z } from 'zod'
import { HexColor, Id, text, Timestamp } from './values.ts'

const example = {
  id: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e11',
  userId: '01980f2e-0000-7d3e-9b54-000000000001',
  name: 'home',
  color: '#1A2B3C',
  createdAt: '2026-03-02T08:00:00.000Z',
  updatedAt: '2026-03-02T08:00:00.000Z',
}

export const Label = z
  .object({
    id: Id,
    userId: Id,
    name: text(1, 100),
    color: HexColor.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Label', examples: [example] })

export const ListedLabel = Label.extend({ _count: z.object({ tasks: z.int() }) }).meta({
  id: 'ListedLabel',
  examples: [{ ...example, _count: { tasks: 3 } }],
})

export const LabelSummary = Label.pick({ id: true, name: true, color: true })

const input = Label.pick({ name: true, color: true }).partial({ color: true })
export const NewLabel = input.meta({
  id: 'NewLabel',
  examples: [{ name: 'home', color: '#1A2B3C' }],
})
export const LabelChanges = input
  .partial()
  .meta({ id: 'LabelChanges', examples: [{ color: '#00FF00' }] })

export type Label = z.infer<typeof Label>
export type ListedLabel = z.infer<typeof ListedLabel>
export type NewLabel = z.infer<typeof NewLabel>
export type LabelChanges = z.infer<typeof LabelChanges>
