export { compile } from './compile.ts'
export type { AvailabilityClass, Compiled } from './compile.ts'
export type * from './model.ts'
