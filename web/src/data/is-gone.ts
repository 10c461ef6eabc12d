import { Refusal } from './api.ts'

/** Whether the service answered that the record does not exist. */
export const isGone = (error: unknown) => error instanceof Refusal && error.status === 404
