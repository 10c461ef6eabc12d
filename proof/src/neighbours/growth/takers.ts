// All functions that take bytes of others. Each group is measured in a process of its own, since counting takes longer
// the more code is loaded.
import type { Taker } from './taker.ts'

export const groups: Record<string, () => Promise<{ takers: Taker[] }>> = {
  'calendar files': () => import('./takers/calendar-files.ts'),
  'CalDAV answers': () => import('./takers/dav-answers.ts'),
  'answers of providers': () => import('./takers/provider-answers.ts'),
  'tasks of readers': () => import('./takers/reader-tasks.ts'),
  requests: () => import('./takers/requests.ts'),
}
