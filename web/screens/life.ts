// Sample data for the screenshots.
import type { createClient } from '@daywright/client'

type Api = ReturnType<typeof createClient>

const hour = 3_600_000

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

/** Title, minutes, priority, project, due in so many hours. */
const tasks: [string, number, 'low' | 'medium' | 'high' | 'urgent', number, number?][] = [
  ['Fix timezone drift in the weekly export', 180, 'urgent', 1, 30],
  ['Write the launch brief for Atlas', 240, 'high', 0, 96],
  ['Review the onboarding flow with Mei', 60, 'medium', 0, 120],
  ['Migrate the billing webhooks', 660, 'high', 1, 44],
  ['Rewrite the API error catalogue', 300, 'medium', 1, 240],
  ['Prepare the Q1 capacity model', 300, 'medium', 1, 200],
  ['Edit the rough cut of episode 14', 150, 'high', 2, 140],
  ['Sketch the poster for the December show', 120, 'low', 2],
  ['Draft the November newsletter', 75, 'medium', 2, 250],
  ['Choose tiles and a worktop', 90, 'medium', 3, 170],
  ['Renew passport: photos and form', 45, 'high', 3, 100],
  ['Call the plumber about the boiler', 15, 'medium', 3, 50],
  ['Plan the trip at Christmas', 90, 'low', 3, 300],
  ['Quarterly access review', 60, 'medium', 1, 190],
  ['Storyboard the trailer', 180, 'low', 2],
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
      ...(due === undefined ? {} : { dueAt: inHours(due) }),
      labelIds: estimateMinutes > 200 ? [labels[0]?.id ?? ''] : [],
    }),
  )
  await api.tasks.create({ title: 'Ask Priya about the venue' })
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
    dueAt: inHours(52),
  })
  return { projectId: madeProjects[0]?.id ?? '', documentId: document.id, taskId: first?.id ?? '' }
}

async function inOrder<Given, Made>(given: readonly Given[], make: (one: Given) => Promise<Made>) {
  const made: Made[] = []
  for (const one of given) made.push(await make(one))
  return made
}
