// A block that is stopped early frees the rest of its time. It is Monday 08:00 UTC when the plan is made, and
// the default windows are 09:00 to 17:00.
import { caller, expect, it, testApp } from '../../../test/it.ts'

const monday = (time: string) => new Date(`2026-03-02T${time}Z`)

it('a run uses the unused time of a block that was stopped early for later work', async ({
  ada,
  db,
}) => {
  let time = monday('08:00')
  const app = await testApp(db, () => time)
  const { get, patch, post } = caller(app, { authorization: `Bearer ${ada.key}` })
  const newTask = async (title: string, estimateMinutes: number, priority: string) =>
    (await post('/api/tasks', { title, estimateMinutes, priority, autoSplit: false })).body
  const calendar = async (): Promise<string[]> => {
    const { body } = await get('/api/time-blocks?from=2026-03-02&to=2026-03-14')
    return body.map((block: { title: string; startAt: string; endAt: string }) =>
      [block.title, block.startAt.slice(8, 16), block.endAt.slice(11, 16)].join(' '),
    )
  }
  const report = await newTask('Report', 120, 'urgent')
  await newTask('Design', 360, 'high')
  await newTask('Publish', 60, 'high')
  await post('/api/planner')
  expect(await calendar()).toEqual([
    'Report 02T09:00 11:00',
    'Design 02T11:00 17:00',
    'Publish 03T09:00 10:00',
  ])
  const [{ id }] = (await get('/api/time-blocks?from=2026-03-02&to=2026-03-14')).body

  time = monday('09:00')
  await post(`/api/time-blocks/${id}/start`)
  await post('/api/planner')
  time = monday('09:42')
  await post(`/api/time-blocks/${id}/stop`)
  await patch(`/api/tasks/${report.id}`, { status: 'completed' })
  await post('/api/planner')

  expect(await calendar()).toEqual([
    'Report 02T09:00 09:42',
    'Publish 02T09:45 10:45',
    'Design 02T11:00 17:00',
  ])
})
