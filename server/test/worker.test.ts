// The whole system as an operator runs it: real processes, a real database, and no call of the planner.
import { readdir, readFile } from 'node:fs/promises'
import { Webhook } from 'standardwebhooks'
import { onTestFinished, vi } from 'vitest'
import { follow } from './follow.ts'
import { describe, expect, it, newPerson } from './it.ts'
import { serve } from './programs.ts'
import { startReceiver } from './receiver.ts'

describe('two APIs and two workers', () => {
  it('turn a change into a plan, an event and a webhook', async ({ app, db, url }) => {
    const settings = {
      DATABASE_URL: url,
      RATE_LIMIT: 'off',
      WORKER_PORT: '0',
      WEBHOOK_PRIVATE_ADDRESSES: 'allow',
    }
    const programs = ['api.ts', 'api.ts', 'worker.ts', 'worker.ts']
    const running = programs.map((program) => serve(settings, program))
    const [here = '', there = ''] = await Promise.all(running.map((one) => one.ready()))
    const { key } = await newPerson(app, db)
    const receiver = await startReceiver()
    onTestFinished(receiver.close)
    const call = callerOf(here, key)
    const { secret } = await call('POST', '/api/webhooks', { url: receiver.url })
    const stream = await follow(there, key)
    onTestFinished(stream.leave)
    // A daily run at 00:00 is due at any time of day, so enabling it causes a run, which must be over first.
    const automatic = { automatic: true, dailyRunAt: '00:00' }
    await call('PATCH', '/api/settings', automatic)
    await vi.waitFor(() => expect(stream.messages.at(-1)?.event).toBe('plannerRun.applied'), soon)
    await vi.waitFor(
      () => expect(receiver.received.at(-1)?.data.type).toBe('plannerRun.applied'),
      soon,
    )
    const earlier = { messages: stream.messages.length, received: receiver.received.length }

    await call('POST', '/api/tasks', { title: 'Write', estimateMinutes: 60, autoSplit: false })
    const changedAt = Date.now()

    await vi.waitFor(() => {
      expect(receiver.received.length).toBeGreaterThanOrEqual(earlier.received + 2)
      expect(stream.messages.length).toBeGreaterThanOrEqual(earlier.messages + 2)
    }, soon)
    const [created, planned] = stream.messages.slice(earlier.messages)
    const [toldOfTask, toldOfPlan] = receiver.received.slice(earlier.received)
    expect(created).toMatchObject({ event: 'task.created', data: { after: { title: 'Write' } } })
    expect(planned).toMatchObject({
      event: 'plannerRun.applied',
      data: { after: { createdBlockIds: [expect.any(String)] }, actor: { kind: 'planner' } },
    })
    expect(await call('GET', '/api/planner')).toMatchObject({ scheduledBlocks: 1 })
    expect([toldOfTask?.data.id, toldOfPlan?.data.id]).toEqual([created?.id, planned?.id])
    for (const { headers, body } of receiver.received) {
      expect(new Webhook(String(secret)).verify(body, headers)).toEqual(JSON.parse(body))
    }
    const delays = {
      event: (created?.at ?? NaN) - changedAt,
      webhook: (toldOfTask?.at ?? NaN) - changedAt,
      plan: (planned?.at ?? NaN) - changedAt,
      webhookOfPlan: (toldOfPlan?.at ?? NaN) - (planned?.at ?? NaN),
    }
    process.stdout.write(`Delays in ms after the answer: ${JSON.stringify(delays)}\n`)
    expect(delays.plan).toBeGreaterThan(1500) // the debounce
  }, 120_000)
})

describe('npm start', () => {
  it.runIf(process.platform === 'linux')(
    'plans in PLANNER_THREADS threads in total, for requests and automatic runs',
    async ({ app, db, url }) => {
      const service = serve({ DATABASE_URL: url, PLANNER_THREADS: '1' })
      const { key } = await newPerson(app, db)
      const call = callerOf(await service.ready(), key)
      const before = await threadsOf(service.child.pid)
      await call('POST', '/api/planner')

      await call('PATCH', '/api/settings', { automatic: true, dailyRunAt: '00:00' })
      await vi.waitFor(async () => {
        const { events } = await call('GET', '/api/changes')
        expect(events).toContainEqual(
          expect.objectContaining({
            type: 'plannerRun.applied',
            actor: expect.objectContaining({ kind: 'planner' }),
          }),
        )
      }, soon)

      expect(await threadsOf(service.child.pid)).toBe(before + 1)
    },
    120_000,
  )
})

/** The number of JavaScript threads of a process beside its main one. */
async function threadsOf(pid: number | undefined) {
  const tasks = `/proc/${pid}/task`
  const names = (await readdir(tasks)).map((id) => readFile(`${tasks}/${id}/comm`, 'utf8'))
  return (await Promise.all(names)).filter((name) => name.startsWith('WorkerThread')).length
}

const soon = { timeout: 30_000, interval: 10 }

const callerOf =
  (origin: string, key: string) => async (method: string, path: string, body?: object) => {
    const response = await fetch(origin + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
    })
    return response.json() as Promise<Record<string, unknown>>
  }
