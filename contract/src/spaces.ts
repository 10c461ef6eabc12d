import { z } from 'zod'
import { Id, SortOrder, text, Timestamp } from './values.ts'

const example = {
  id: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e21',
  userId: '01980f2e-0000-7d3e-9b54-000000000001',
  name: 'Work',
  color: '#6B7280',
  icon: 'folder',
  isDefault: false,
  sortOrder: 0,
  createdAt: '2026-03-02T08:00:00.000Z',
  updatedAt: '2026-03-02T08:00:00.000Z',
}

export const Space = z
  .object({
    id: Id,
    userId: Id,
    name: text(1, 100),
    color: text(0, 50),
    icon: text(0, 100),
    isDefault: z.boolean(),
    sortOrder: SortOrder,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Space', examples: [example] })

export const SpaceSummary = Space.pick({ id: true, name: true, color: true, icon: true })

export const ListedSpace = Space.extend({
  projects: z.array(
    z.object({ id: Id, name: z.string(), color: z.string(), _count: z.object({ tasks: z.int() }) }),
  ),
  _count: z.object({ tasks: z.int(), documents: z.int() }),
}).meta({
  id: 'ListedSpace',
  examples: [{ ...example, projects: [], _count: { tasks: 12, documents: 1 } }],
})

const input = Space.pick({ name: true, color: true, icon: true }).partial({
  color: true,
  icon: true,
})
export const NewSpace = input.meta({
  id: 'NewSpace',
  examples: [{ name: 'Work', color: '#6B7280', icon: 'briefcase' }],
})
export const SpaceChanges = input
  .extend({ sortOrder: SortOrder })
  .partial()
  .meta({ id: 'SpaceChanges', examples: [{ name: 'Job', sortOrder: 1 }] })

export type Space = z.infer<typeof Space>
export type ListedSpace = z.infer<typeof ListedSpace>
export type NewSpace = z.infer<typeof NewSpace>
export type SpaceChanges = z.infer<typeof SpaceChanges>
