import { Refusal } from './api.ts'

/** Whether the service says that there is no such record, or only did not answer. */
export const isGone = (error: unknown) => error instanceof Refusal && error.status === 404
