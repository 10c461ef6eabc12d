import { Refusal } from './api.ts'

/** Whether the record does not exist, as opposed to a missing answer. */
export const isGone = (error: unknown) => error instanceof Refusal && error.status === 404
