import fc from 'fast-check'
import { queueOn } from '../../../../server/src/jobs/queue.ts'
import { newId } from '../../../../server/src/platform/db/new-id.ts'
import { call, expect, success } from '../call.ts'
import { command, event } from '../command.ts'
import { Divergence } from '../compare.ts'

const rules = { sessionOnly: true, admin: true }

/** A job fails for the last time. */
export const jobFails = event('(a job is given up)', async ({ world, me }) => {
  const key = `${me.id}/${newId()}`
  await queueOn(world.db).add('run-user-jobs', [key])
  const { rows } = await world.db.query<{ id: string }>(
    `select (graphile_worker.permanently_fail_jobs(array_agg(id), 'It broke')).id::text
       from graphile_worker.jobs where key = 'run-user-jobs:' || $1`,
    [key],
  )
  world.jobs.set(rows[0]?.id ?? '', key)
})

const chosen = fc.record({
  which: fc.constantFrom('parked', 'parked', 'parked', 'none', 'nonsense'),
  place: fc.nat(100),
})

const one = (operation: string, method: string, rest: string) =>
  command(operation, rules, chosen, async (scene, { which, place }) => {
    const { jobs } = scene.world
    const ids = [...jobs.keys()]
    const id = which === 'parked' ? ids[place % Math.max(1, ids.length)] : undefined
    const segment = id ?? (which === 'nonsense' ? 'x' : '999999999999')
    const path = `/api/admin/jobs/${segment}${rest}`
    const answer = await call(scene, { operation, method, path, rules })
    if (!answer) return
    if (id === undefined) return expect(answer, operation, 404, { error: 'Job not found' })
    expect(answer, operation, 200, success)
    jobs.delete(id)
  })

export const jobs = [
  command('listParkedJobs', rules, fc.constant({}), async (scene) => {
    const operation = 'listParkedJobs'
    const answer = await call(scene, { operation, method: 'GET', path: '/api/admin/jobs', rules })
    if (!answer) return
    expect(answer, operation, 200, () => undefined)
    const listed = answer.body as { id: string; key: string }[]
    // The list also contains the jobs of other worlds, and only the newest hundred.
    for (const [id, key] of scene.world.jobs) {
      const body = listed.find((job) => job.id === id)
      if (!body && listed.length >= 100) continue
      expect({ ...answer, body }, operation, 200, {
        id,
        task: 'run-user-jobs',
        key,
        attempts: 5,
        error: 'It broke',
        parkedAt: () => undefined,
      })
    }
    const isOurs = ({ key }: { key: string }) =>
      scene.world.people.some(({ id }) => key.startsWith(`${id}/`))
    const extra = listed.find((job) => isOurs(job) && !scene.world.jobs.has(job.id))
    if (extra) throw new Divergence(`${operation}: ${extra.id} is not parked`)
  }),
  one('retryJob', 'POST', '/retry'),
  one('discardJob', 'DELETE', ''),
]
