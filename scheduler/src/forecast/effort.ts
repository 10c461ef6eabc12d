// Limits the work of a forecast to a few times that of one plan, however long the backlog is, since all users
// share the same threads.

/** The number of changed plans to compute. */
export const maxPlans = (tasks: number): number => clamp(Math.floor(800 / tasks), 1, 8)

/** The number of executions to simulate. */
export const maxExecutions = (sessions: number): number =>
  clamp(Math.floor(200_000 / sessions), 200, 1000)

const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value))
