// Sample data for the screenshots.
import type { createClient } from '@daywright/client'

type Api = ReturnType<typeof createClient>

const hour = 3_600_000
const zone = 'Europe/Berlin'

/** A local time, so many working days after today. */
function onWorkday(now: Date, days: number, time: string) {
  let day = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDate()
  for (let left = days; left > 0; left -= day.dayOfWeek < 6 ? 1 : 0) day = day.add({ days: 1 })
  const { epochMilliseconds } = day.toZonedDateTime({ timeZone: zone, plainTime: time })
  return new Date(epochMilliseconds)
}

const spaces = [
  { name: 'Work', color: '#6366F1' },
  { name: 'Studio', color: '#14B8A6' },
  { name: 'Home', color: '#F97316' },
] as const

const projects = [
  { name: 'Atlas launch', space: 0, color: '#8B5CF6' },
  { name: 'Platform', space: 0, color: '#6366F1' },
  { name: 'Season two', space: 1, color: '#14B8A6' },
  { name: 'New kitchen', space: 2, color: '#F97316' },
] as const

/** Title, minutes, priority, project, due in so many working days. */
const tasks: [string, number, 'low' | 'medium' | 'high' | 'urgent', number, number?][] = [
  ['Fix timezone drift in the weekly export', 180, 'urgent', 1, 1],
  ['Write the launch brief for Atlas', 240, 'high', 0, 4],
  ['Review the onboarding flow with Mei', 60, 'medium', 0, 4],
  ['Migrate the billing webhooks', 660, 'high', 1, 2],
  ['Rewrite the API error catalogue', 300, 'medium', 1, 7],
  ['Prepare the Q1 capacity model', 300, 'medium', 1, 6],
  ['Edit the rough cut of episode 14', 150, 'high', 2, 4],
  ['Sketch the poster for the December show', 120, 'low', 2],
  ['Draft the November newsletter', 75, 'medium', 2, 8],
  ['Choose tiles and a worktop', 90, 'medium', 3, 5],
  ['Renew passport: photos and form', 45, 'high', 3, 3],
  ['Call the plumber about the boiler', 15, 'medium', 3, 2],
  ['Plan the trip at Christmas', 90, 'low', 3, 9],
  ['Quarterly access review', 60, 'medium', 1, 6],
  ['Storyboard the trailer', 180, 'low', 2],
]

/** Appointments: title, after so many working days, from, to. */
const events: [string, number, string, string][] = [
  ['1:1 with Mei', 1, '14:00', '14:30'],
  ['Design review', 2, '11:00', '12:00'],
  ['Dentist', 3, '16:00', '17:00'],
  ['All hands', 6, '10:00', '11:00'],
]

/** Completed work: title, estimated minutes, actual minutes, days ago. */
const past: [string, number, number, number][] = [
  ['Interview two candidates', 90, 110, 3],
  ['Send the invoices for October', 60, 40, 4],
  ['Find a room for the premiere', 30, 55, 5],
  ['Read the incident report', 45, 45, 6],
]

const brief = `# Atlas: launch brief

**One sentence.** Atlas shows where a week went before it is gone.

## What we say

1. It plans, and *says why*.
2. Nothing is moved that you have placed.
3. What does not fit is shown, not hidden.

| When | What | Who |
|---|---|---|
| Mon | Brief is read by all | Mei |
| Wed | Pages are up | Ada |
| Fri | Launch | all |

- [x] Name and price
- [ ] Pictures of every screen
- [ ] A letter to those who waited
`

/** Title, kind, project, text. */
const documents: [string, 'note' | 'spec' | 'reference' | 'link', number | undefined, string][] = [
  ['Error catalogue', 'spec', 1, '# Errors\n\nEvery refusal has a `type` that does not change.'],
  ['Tiles: what the shops said', 'note', 3, '- **Matt white** 38 € a square metre\n- Oak, oiled'],
  ['Style of the trailer', 'reference', 2, 'Slow, warm, no voice-over before the second minute.'],
  ['Shopping', 'note', undefined, '- [ ] Coffee\n- [ ] Batteries'],
]

/** Two full weeks, partly done, and planned; returns the ids that the screenshots need. */
export async function livedIn(api: Api, now: Date) {
  const inHours = (hours: number) => new Date(now.getTime() + hours * hour)
  const madeSpaces = await inOrder(spaces, (space) => api.spaces.create(space))
  const madeProjects = await inOrder(projects, ({ name, color, space }) =>
    api.projects.create({ name, color, spaceId: madeSpaces[space]?.id ?? null }),
  )
  const office = await api.schedulePreferences.create({
    name: 'Office',
    windows: [{ day: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }],
  })
  const own = await api.schedulePreferences.create({
    name: 'Evenings and weekends',
    windows: [
      { day: [1, 2, 3, 4], start: '18:00', end: '20:30' },
      { day: [0, 6], start: '10:00', end: '22:00' },
    ],
  })
  const labels = await inOrder(['deep work', 'calls', 'waiting'], (name) =>
    api.labels.create({ name }),
  )
  const made = await inOrder(tasks, ([title, estimateMinutes, priority, project, due]) =>
    api.tasks.create({
      title,
      estimateMinutes,
      priority,
      projectId: madeProjects[project]?.id ?? null,
      spaceId: madeProjects[project]?.spaceId ?? null,
      minSessionMinutes: 30,
      maxSessionMinutes: 90,
      schedulePreferenceId: project < 2 ? office.id : own.id,
      ...(due === undefined ? {} : { dueAt: onWorkday(now, due, '17:00') }),
      labelIds: estimateMinutes > 200 ? [labels[0]?.id ?? ''] : [],
    }),
  )
  await api.tasks.create({ title: 'Ask Priya about the venue' })
  for (const [title, days, from, to] of events) {
    const place = { startAt: onWorkday(now, days, from), endAt: onWorkday(now, days, to) }
    await api.timeBlocks.create({ type: 'event', title, ...place })
  }
  await api.settings.update({ planning: { lunch: { from: '12:00', to: '14:00', minutes: 45 } } })
  const [, first, , migrate] = made
  for (const [title, docType, project, content] of documents) {
    const projectId = project === undefined ? null : (madeProjects[project]?.id ?? null)
    await api.documents.create({ title, docType, content, projectId })
  }
  const document = await api.documents.create({
    title: 'Atlas: launch brief',
    content: brief,
    projectId: madeProjects[0]?.id ?? null,
  })
  if (first) {
    await api.tasks.documents.link(first.id, document.id)
    for (const title of ['Collect what was promised', 'First draft', 'Read it aloud']) {
      await api.checklistItems.create({ taskId: first.id, title })
    }
  }
  const done = await api.tasks.create({ title: 'Name the product', estimateMinutes: 60 })
  await api.tasks.batch('complete', [done.id])
  if (first && migrate) await api.tasks.dependencies.add(first.id, migrate.id)
  for (const [title, estimateMinutes, minutes, days] of past) {
    const task = await api.tasks.create({ title, estimateMinutes, spaceId: madeSpaces[0]?.id })
    const startAt = inHours(-24 * days)
    const endAt = new Date(startAt.getTime() + (minutes / 60) * hour)
    const block = await api.timeBlocks.create({ taskId: task.id, startAt, endAt })
    await api.timeBlocks.update(block.id, { status: 'completed' })
    await api.tasks.batch('complete', [task.id])
  }
  await api.webhooks.create({
    url: 'https://example.com/daywright',
    types: ['plannerRun.applied', 'task.updated'],
  })
  await api.planner.run()
  await api.notifications.generate('at_risk')
  await api.notifications.generate('morning_summary')
  // Tasks for the next plan.
  await api.tasks.create({
    title: 'Answer the auditors',
    estimateMinutes: 150,
    priority: 'urgent',
    projectId: madeProjects[1]?.id ?? null,
    spaceId: madeProjects[1]?.spaceId ?? null,
    schedulePreferenceId: office.id,
    dueAt: onWorkday(now, 2, '17:00'),
  })
  return { projectId: madeProjects[0]?.id ?? '', documentId: document.id, taskId: first?.id ?? '' }
}

async function inOrder<Given, Made>(given: readonly Given[], make: (one: Given) => Promise<Made>) {
  const made: Made[] = []
  for (const one of given) made.push(await make(one))
  return made
}
