// The least that can be said of a plan, where nobody explains it better.
import type { Explain } from './plan.ts'

export const plainWords: Explain = ({ compiled, blocks, report }) => {
  const { tasks, timezone, due, t0 } = compiled
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const when = (minute: number) => clock.format(t0 + minute * 60_000)
  return {
    blocks: blocks.map(({ task, end }) => ({
      defended: false,
      explanation:
        tasks[task]!.dueAt === null
          ? 'The first free time in its windows.'
          : end <= due[task]!
            ? `In free time of its windows, before it is due on ${when(due[task]!)}.`
            : `As soon as its windows leave room; it was due on ${when(due[task]!)}.`,
    })),
    atRisk: report.atRisk.map(() => ({
      text: 'Its work is not over by the due date.',
      proof: null,
    })),
    unscheduled: report.unscheduled.map(({ minutes }) => ({
      text: `${minutes} minutes find no place within fourteen days.`,
      proof: null,
    })),
  }
}
