import type { PlannerInput } from './plan-changes.ts'

/** The planner keeps blocks without a task where they are, so the events of other calendars become such blocks. */
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
