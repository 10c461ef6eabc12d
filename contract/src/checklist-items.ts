import { z } from 'zod'
import { Id, Reference, SortOrder, text } from './values.ts'

const example = {
  id: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e51',
  taskId: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e41',
  title: 'Ask for the figures',
  completed: false,
  sortOrder: 0,
}

export const ChecklistItem = z
  .object({
    id: Id,
    taskId: Id,
    title: text(1, 500),
    completed: z.boolean(),
    sortOrder: SortOrder,
  })
  .meta({ id: 'ChecklistItem', examples: [example] })

export const NewChecklistItem = ChecklistItem.pick({ title: true })
  .extend({ taskId: Reference })
  .meta({
    id: 'NewChecklistItem',
    examples: [{ taskId: example.taskId, title: 'Ask for the figures' }],
  })
export const ChecklistItemChanges = ChecklistItem.pick({
  title: true,
  completed: true,
  sortOrder: true,
})
  .partial()
  .meta({ id: 'ChecklistItemChanges', examples: [{ completed: true }] })

export type ChecklistItem = z.infer<typeof ChecklistItem>
export type NewChecklistItem = z.infer<typeof NewChecklistItem>
export type ChecklistItemChanges = z.infer<typeof ChecklistItemChanges>
