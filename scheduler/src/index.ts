export { check } from './check.ts'
export type { Violation } from './check.ts'
export type * from './model.ts'
export { plan, version } from './plan.ts'
