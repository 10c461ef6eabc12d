import type { PlannerInput } from './plan-changes.ts'

/** Parses a problem. Events of other calendars become blocks without a task, which the planner does not move. */
export function parseProblem(text: string): PlannerInput {
  const input = JSON.parse(text) as PlannerInput
  const events = (input.busy ?? []).map(
    ({ startAt, endAt }, index): PlannerInput['blocks'][number] => ({
      id: `calendar event ${index}`,
      taskId: null,
      type: 'event',
      source: 'calendar',
      status: 'scheduled',
      locked: true,
      startAt,
      endAt,
    }),
  )
  return { ...input, blocks: [...input.blocks, ...events] }
}
