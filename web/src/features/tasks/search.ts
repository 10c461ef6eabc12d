// The state of the list in its URL.
import type { Grouping, Sorting } from './groups.ts'

export type TasksSearch = {
  space?: string
  /** `none`: tasks without a project, the inbox. */
  project?: string
  label?: string
  /** Undefined for open tasks; otherwise `done`, `all` or a single status. */
  status?: string
  view?: 'board'
  group?: Grouping
  sort?: Sorting
  /** Words that the title must contain. */
  find?: string
  /** The task that is open beside the list. */
  task?: string
}

/** Changes to the search; undefined removes a parameter. */
export type Changes = { [Name in keyof TasksSearch]?: TasksSearch[Name] | undefined }

const groupings: readonly unknown[] = ['place', 'priority', 'status', 'none']
const sortings: readonly unknown[] = ['priority', 'title', 'estimate', 'newest']

export const readTasksSearch = (search: Record<string, unknown>): TasksSearch => ({
  ...texts(search),
  ...(search.view === 'board' && { view: 'board' }),
  ...(groupings.includes(search.group) && { group: search.group as Grouping }),
  ...(sortings.includes(search.sort) && { sort: search.sort as Sorting }),
})

const named = ['space', 'project', 'label', 'status', 'find', 'task'] as const

const texts = (search: Record<string, unknown>): TasksSearch =>
  Object.fromEntries(
    named
      // The router parses a search for "2026" as a number.
      .map((name) => [name, typeof search[name] === 'number' ? `${search[name]}` : search[name]])
      .filter(([, value]) => typeof value === 'string' && value !== ''),
  )
