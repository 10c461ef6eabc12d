import type { Harness } from './kit/harness.ts'

/** The harnesses by name. Those that run together start in this order, the longest first. */
export const harnesses: Record<string, () => Promise<{ harness: Harness }>> = {
  calendars: () => import('./calendars/harness.ts'),
  model: () => import('./model/harness.ts'),
  fuzz: () => import('./fuzz/harness.ts'),
  engine: () => import('./engine/harness.ts'),
  tenants: () => import('./tenants/harness.ts'),
  soak: () => import('./soak/harness.ts'),
  crash: () => import('./crash/harness.ts'),
  faults: () => import('./faults/harness.ts'),
  outages: () => import('./outages/harness.ts'),
  races: () => import('./races/harness.ts'),
  overload: () => import('./overload/harness.ts'),
  drain: () => import('./drain/harness.ts'),
  restore: () => import('./restore/harness.ts'),
  upgrade: () => import('./upgrade/harness.ts'),
  webhooks: () => import('./webhooks/harness.ts'),
  neighbours: () => import('./neighbours/harness.ts'),
  'sign-in': () => import('./sign-in/harness.ts'),
}
