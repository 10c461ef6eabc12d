// Blocks that ended without being started or completed. It is Monday 08:00 UTC when the plan is made, and
// the default windows open at 09:00.
import { eventsOf } from '../../../test/events.ts'
import { caller, describe, expect, it as base, type Person, testApp } from '../../../test/it.ts'
import { runUserJobs } from '../../jobs/run-user-jobs.ts'
import type { Database } from '../../platform/db/database.ts'
import solveNow from './plan-worker.ts'

const monday = (time: string) => new Date(`2026-03-02T${time}Z`)

/** A user of a service whose clock the test sets. */
const it = base.extend('eve', async ({ ada, db }) => {
  let time = monday('08:00')
  const now = () => time
  const app = await testApp(db, now, {}, async (problem) => solveNow(problem))
  return {
    ...ada,
    ...caller(app, { authorization: `Bearer ${ada.key}` }),
    now,
    setClock: (to: Date) => {
      time = to
    },
  }
})
type Eve = Person & { now: () => Date; setClock: (to: Date) => void }

const newTask = async (eve: Eve, body: object = {}) =>
  (await eve.post('/api/tasks', { title: 'Write', estimateMinutes: 60, ...body })).body.id as string

type Block = { id: string; taskId: string; startAt: string; endAt: string; status: string }

const calendar = async (eve: Eve): Promise<Block[]> =>
  (await eve.get('/api/time-blocks?from=2026-03-01&to=2026-04-01')).body

const times = (blocks: Block[]) =>
  blocks.map(({ startAt, endAt }) => `${startAt.slice(5, 16)} ${endAt.slice(11, 16)}`)

const findBlock = async (eve: Eve, { id }: Block) => (await eve.get(`/api/time-blocks/${id}`)).body

const reasonOf = async (db: Database, { id }: Block) =>
  (await db.pool.query('select cancel_reason from time_blocks where id = $1', [id])).rows[0]
    .cancel_reason

const newestRun = async (eve: Eve) => {
  const [run] = (await eve.get('/api/planner/runs')).body.runs
  return (await eve.get(`/api/planner/runs/${run.id}`)).body
}

/** Plans one task at 09:00 to 10:00 and sets the clock to noon. */
async function planAndMiss(eve: Eve, body: object = {}) {
  const taskId = await newTask(eve, body)
  const answer = await eve.post('/api/planner')
  const [block] = await calendar(eve)
  if (!block) throw new Error(`Nothing is planned: ${JSON.stringify(answer)}`)
  eve.setClock(monday('12:00'))
  return { taskId, block }
}

describe('a missed block', () => {
  it('is cancelled by the next run, which plans its minutes again', async ({ eve, db }) => {
    const { taskId, block } = await planAndMiss(eve)
    expect(times([block])).toEqual(['03-02T09:00 10:00'])

    const { body } = await eve.post('/api/planner')

    expect(body).toMatchObject({ tasksScheduled: 1, tasksUnscheduled: 0 })
    expect(times(await calendar(eve))).toEqual(['03-02T12:00 13:00'])
    expect(await findBlock(eve, block)).toMatchObject({ status: 'cancelled' })
    expect(await reasonOf(db, block)).toBe('missed')
    const { id: blockId, startAt, endAt } = block
    expect((await newestRun(eve)).missed).toEqual([{ blockId, taskId, startAt, endAt }])
    expect((await eventsOf(db, eve, 0)).at(-1)).toMatchObject({
      type: 'plannerRun.applied',
      after: { cancelledBlockIds: [blockId] },
    })
  })

  it('is shown by a preview, and cancelled when it is applied', async ({ eve, db }) => {
    const { block } = await planAndMiss(eve)

    const { body: preview } = await eve.post('/api/planner/preview')

    expect(preview.missed).toMatchObject([{ blockId: block.id }])
    expect(preview.blocks).toMatchObject({ unchanged: [], moved: [], removed: [], added: [{}] })
    expect(await findBlock(eve, block)).toMatchObject({ status: 'scheduled' })

    expect((await eve.post(`/api/planner/runs/${preview.id}/apply`)).status).toBe(200)
    expect(await reasonOf(db, block)).toBe('missed')
    expect(times(await calendar(eve))).toEqual(['03-02T12:00 13:00'])
  })

  it('makes an older preview out of date once it is completed', async ({ eve }) => {
    const { block } = await planAndMiss(eve)
    const { body: preview } = await eve.post('/api/planner/preview')
    await eve.patch(`/api/time-blocks/${block.id}`, { status: 'completed' })

    expect((await eve.post(`/api/planner/runs/${preview.id}/apply`)).status).toBe(409)
  })

  it('stays cancelled when the run is undone', async ({ eve }) => {
    const { block } = await planAndMiss(eve)
    eve.setClock(monday('11:58'))
    await eve.post('/api/planner')
    const { id } = await newestRun(eve)

    const { body } = await eve.post(`/api/planner/runs/${id}/undo`)

    expect(body).toEqual({ ok: true, restored: 0, cancelled: 1, skipped: 0 })
    expect(await findBlock(eve, block)).toMatchObject({ status: 'cancelled' })
  })

  it('does not affect completed blocks of the same task', async ({ eve }) => {
    await newTask(eve, { estimateMinutes: 120, cooldownMinutes: 0 })
    await eve.post('/api/planner')
    const [first, second] = await calendar(eve)
    await eve.patch(`/api/time-blocks/${first?.id}`, { status: 'completed' })
    eve.setClock(monday('12:00'))

    await eve.post('/api/planner')

    expect((await newestRun(eve)).missed).toMatchObject([{ blockId: second?.id }])
    expect(times(await calendar(eve))).toEqual(['03-02T09:00 10:00', '03-02T12:00 13:00'])
  })
})

describe('a block that has ended counts toward the estimate', () => {
  const patchBlock =
    (changes: object) =>
    (eve: Eve, { block }: { block: Block }) =>
      eve.patch(`/api/time-blocks/${block.id}`, changes)

  it.for([
    ['is locked', patchBlock({ locked: true })],
    ['was dragged', patchBlock({ endAt: '2026-03-02T10:00:30Z' })],
    ['is in progress', patchBlock({ status: 'in_progress' })],
    ['is completed', patchBlock({ status: 'completed' })],
  ] as const)('if it %s', async ([, change], { eve }) => {
    const missed = await planAndMiss(eve)
    await change(eve, missed)
    const before = await calendar(eve)

    const { body } = await eve.post('/api/planner')

    expect(body).toMatchObject({ tasksScheduled: 0, tasksUnscheduled: 0 })
    expect(await calendar(eve)).toEqual(before)
    expect((await newestRun(eve)).missed).toEqual([])
  })

  it('if its task, or the project of its task, was switched to manual', async ({ eve }) => {
    const { body: project } = await eve.post('/api/projects', { name: 'House' })
    await newTask(eve, { projectId: project.id })
    const { taskId } = await planAndMiss(eve)
    await eve.patch(`/api/tasks/${taskId}`, { autoSchedule: false })
    await eve.patch(`/api/projects/${project.id}`, { autoSchedule: false })
    const before = await calendar(eve)

    await eve.post('/api/planner')

    expect(await calendar(eve)).toEqual(before)
  })

  it('if the user has chosen to count missed blocks as done', async ({ eve }) => {
    await eve.patch('/api/settings', { missedBlocks: 'assume-done' })
    await planAndMiss(eve)
    const before = await calendar(eve)

    const { body } = await eve.post('/api/planner')

    expect(body).toMatchObject({ tasksScheduled: 0, tasksUnscheduled: 0 })
    expect(await calendar(eve)).toEqual(before)
    expect((await newestRun(eve)).missed).toEqual([])
  })
})

describe('a block is not missed', () => {
  it('while its time is running', async ({ eve }) => {
    const { block } = await planAndMiss(eve)
    eve.setClock(monday('09:59:59.999'))

    await eve.post('/api/planner')

    expect((await newestRun(eve)).missed).toEqual([])
    expect((await calendar(eve)).map(({ id }) => id)).toEqual([block.id])
  })

  it('if its task is closed', async ({ eve }) => {
    const { taskId, block } = await planAndMiss(eve)
    await eve.patch(`/api/tasks/${taskId}`, { status: 'completed' })

    await eve.post('/api/planner')

    expect((await newestRun(eve)).missed).toEqual([])
    expect(await findBlock(eve, block)).toMatchObject({ status: 'scheduled' })
  })
})

describe('automatic planning', () => {
  const work = async (eve: Eve, db: Database) => {
    const solve = async (problem: string) => solveNow(problem)
    const noJobs = {
      enqueueDeliveries: async () => {},
      enqueueRefreshes: async () => {},
      enqueuePlans: async () => {},
    }
    await runUserJobs({ db, now: eve.now, solve, ...noJobs }, eve.id)
  }
  const dueAt = async (eve: Eve, db: Database): Promise<Date> =>
    (await db.pool.query('select due_at from user_state where user_id = $1', [eve.id])).rows[0]
      .due_at
  const countRuns = async (eve: Eve) => (await eve.get('/api/planner/runs')).body.runs.length

  async function planAutomatically(eve: Eve, db: Database) {
    await eve.patch('/api/settings', { automatic: true })
    await newTask(eve)
    await work(eve, db)
  }

  it('plans a missed block again a minute after its end', async ({ eve, db }) => {
    await planAutomatically(eve, db)
    expect(times(await calendar(eve))).toEqual(['03-02T09:00 10:00'])
    expect(await dueAt(eve, db)).toEqual(monday('10:01'))
    const runs = await countRuns(eve)

    eve.setClock(monday('10:00:59'))
    await work(eve, db)
    expect(await countRuns(eve)).toBe(runs)

    eve.setClock(monday('10:01'))
    await work(eve, db)
    expect(await countRuns(eve)).toBe(runs + 1)
    expect(times(await calendar(eve))).toEqual(['03-02T10:05 11:05'])
    expect(await dueAt(eve, db)).toEqual(monday('11:06'))
  })

  it.for([
    ['completed', { status: 'completed' }],
    ['started', { status: 'in_progress' }],
    ['locked', { locked: true }],
  ] as const)('does not run for a block that was %s', async ([, changes], { eve, db }) => {
    await planAutomatically(eve, db)
    const [block] = await calendar(eve)
    eve.setClock(monday('09:30'))
    await eve.patch(`/api/time-blocks/${block?.id}`, changes)
    await eve.post('/api/planner') // brings the plan up to date
    const runs = await countRuns(eve)

    eve.setClock(monday('10:01'))
    await work(eve, db)

    expect(await countRuns(eve)).toBe(runs)
    expect(await findBlock(eve, block!)).toMatchObject(changes)
  })

  it('takes the blocks of a requested run into account', async ({ eve, db }) => {
    await planAutomatically(eve, db)
    await newTask(eve, { priority: 'urgent', estimateMinutes: 30, dueAt: '2026-03-02T10:00:00Z' })

    await eve.post('/api/planner')

    expect((await dueAt(eve, db)).getTime()).toBeLessThanOrEqual(Date.now())
    await work(eve, db)
    expect(await dueAt(eve, db)).toEqual(monday('09:31'))
  })
})
