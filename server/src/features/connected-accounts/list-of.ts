import { z } from 'zod'

/** A list that is refused at its first wrong item: to collect the errors of all items takes far longer. */
export const listOf = <Item>(schema: z.ZodType<Item>) =>
  z.array(z.unknown()).transform((items, context) => {
    const read: Item[] = []
    for (const item of items) {
      const { success, data } = schema.safeParse(item)
      if (!success) {
        context.addIssue('A wrong item')
        return z.NEVER
      }
      read.push(data)
    }
    return read
  })
