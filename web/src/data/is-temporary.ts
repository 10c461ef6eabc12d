import { Refusal } from './api.ts'

/** Whether a failure to load may pass by itself: no answer came, or the service failed. A refusal (4xx) is final. */
export const isTemporary = (error: unknown) => !(error instanceof Refusal && error.status < 500)
