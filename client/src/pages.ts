import type { Pagination } from '@daywright/contract'
import type { z } from 'zod'

/** The filter of a list, with the page and its size. */
export type PageOf<Filter> = Partial<Omit<Filter, 'page' | 'limit'>> & {
  page?: number
  limit?: number
}

type Page<Item> = { data: Item[]; pagination: z.infer<typeof Pagination> }

/**
 * Iterates the records of a list, from the page in the filter (by default the first) to the last. Each page is
 * requested when it is reached.
 */
export async function* recordsOf<Item, Filter extends PageOf<object>>(
  list: (filter: Filter) => Promise<Page<Item>>,
  filter: Filter | undefined,
) {
  for (let page = filter?.page ?? 1; ; page += 1) {
    const { data, pagination } = await list({ limit: 100, ...(filter as Filter), page })
    yield* data
    if (page >= pagination.pages) return
  }
}
