import type { Pagination } from '@daywright/contract'
import type { z } from 'zod'

/** The filter of a list, with the page and its size. */
export type PageOf<Filter> = Partial<Omit<Filter, 'page' | 'limit'>> & {
  page?: number
  limit?: number
}

type Page<Item> = { data: Item[]; pagination: z.infer<typeof Pagination> }

/**
 * Iterates the records of a list, from the page in the filter (by default the first) to the last. All pages are
 * read before the first record is given: a loop that changes records, such as one that completes tasks, would
 * otherwise shift the pages and skip records.
 */
export async function* recordsOf<Item extends { id: string }, Filter extends PageOf<object>>(
  list: (filter: Filter) => Promise<Page<Item>>,
  filter: Filter | undefined,
) {
  // By id: a record that others move to a later page is given once.
  const found = new Map<string, Item>()
  for (let page = filter?.page ?? 1; ; page += 1) {
    const { data, pagination } = await list({ limit: 100, ...(filter as Filter), page })
    for (const item of data) found.set(item.id, item)
    if (page >= pagination.pages) break
  }
  yield* found.values()
}
