import { createClient } from '@daywright/client'
import type { BrowserContext } from '@playwright/test'

const taskCount = 2000
const blockCount = 500
const atOnce = 20

/** Signs a user up in this browser and creates many tasks; returns the Monday of their full week. */
export async function furnish(context: BrowserContext, origin: string) {
  const headers = { origin }
  await context.request.post('/api/auth/sign-up/email', {
    headers,
    data: {
      email: 'ada@example.com',
      password: 'correct horse battery staple',
      name: 'Ada',
      timezone: 'UTC',
    },
  })
  const issued = await context.request.post('/api/api-keys', { headers, data: { name: 'bench' } })
  const { key } = (await issued.json()) as { key: string }
  const api = createClient({ baseUrl: origin, apiKey: key })
  const spaces = await Promise.all(
    ['#6366F1', '#14B8A6', '#F97316'].map((color) => api.spaces.create({ name: color, color })),
  )
  const tasks = await batches(taskCount, (index) =>
    api.tasks.create({
      title: `Task number ${index} of a long list`,
      spaceId: spaces[index % spaces.length]?.id ?? null,
      estimateMinutes: 30 + 15 * (index % 4),
    }),
  )
  const today = Temporal.Now.plainDateISO('UTC')
  const monday = today.add({ days: 8 - today.dayOfWeek })
  const from = monday.toZonedDateTime('UTC').epochMilliseconds
  await batches(blockCount, (index) => {
    const start = from + (index % 7) * 86_400_000 + Math.floor(index / 7) * 20 * 60_000
    return api.timeBlocks.create({
      taskId: tasks[index]?.id ?? '',
      startAt: new Date(start),
      endAt: new Date(start + (15 + (index % 3) * 15) * 60_000),
    })
  })
  return monday.toString()
}

async function batches<Made>(count: number, make: (index: number) => Promise<Made>) {
  const made: Made[] = []
  for (let from = 0; from < count; from += atOnce) {
    const indexes = Array.from({ length: Math.min(atOnce, count - from) }, (_, at) => from + at)
    made.push(...(await Promise.all(indexes.map(make))))
  }
  return made
}
