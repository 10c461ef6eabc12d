/** `starting` until the database is ready, `draining` after the process was told to stop. */
export type Lifecycle = { phase: 'starting' | 'serving' | 'draining' }
