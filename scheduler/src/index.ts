export { check } from './checker/check.ts'
export type { Violation } from './checker/check.ts'
export type * from './model.ts'
export { plan, version } from './solve/plan.ts'
