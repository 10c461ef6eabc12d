import fc from 'fast-check'
import { bodyFor, call, expect, idFor, missing } from '../call.ts'
import { command } from '../command.ts'
import { edit, inOrder, type Project, type Space } from '../model.ts'
import { expectStale } from '../stale.ts'
import { body, nullable, pick, reference } from '../values.ts'

const fields = { schedulePreferenceId: nullable(reference('preferences')) }

const withSchedule = <Row extends Space | Project>(rows: Map<string, Row>) =>
  inOrder(
    [...rows.values()].filter(({ schedulePreferenceId }) => schedulePreferenceId !== null),
    ({ id }) => id,
  )

const setOf = (operation: string, kind: 'spaces' | 'projects', notFound: object) =>
  command(
    operation,
    {},
    fc.record({ pick, changes: body(fields, ['schedulePreferenceId']) }),
    async (scene, { pick, changes }) => {
      const { segment, found } = idFor(scene, kind, pick)
      const given = bodyFor(scene, changes)
      const path = `/api/${kind}/${segment}/default-schedule`
      const answer = await call(scene, { operation, method: 'PUT', path, body: given })
      if (!answer) return
      const row = scene.me.rows[kind].get(found)
      if (!row) return expect(answer, operation, 404, notFound)
      if (given.missing.length > 0) return expect(answer, operation, 400, missing(given.missing))
      const { updatedAt } = row
      const { schedulePreferenceId } = given.values
      edit(row, answer, () => Object.assign(row, { schedulePreferenceId }))
      const isChanged = row.updatedAt !== updatedAt
      expect(answer, operation, 200, { schedulePreferenceId })
      if (isChanged) await expectStale(scene, operation)
    },
  )

export const defaultSchedules = [
  command('listDefaultSchedules', {}, fc.constant({}), async (scene) => {
    const operation = 'listDefaultSchedules'
    const path = '/api/default-schedules'
    const answer = await call(scene, { operation, method: 'GET', path })
    if (!answer) return
    const { spaces, projects } = scene.me.rows
    expect(answer, operation, 200, {
      spaces: withSchedule(spaces).map(({ id, schedulePreferenceId }) => ({
        spaceId: id,
        schedulePreferenceId,
      })),
      projects: withSchedule(projects).map(({ id, schedulePreferenceId }) => ({
        projectId: id,
        schedulePreferenceId,
      })),
    })
  }),

  setOf('setDefaultScheduleOfSpace', 'spaces', { error: 'Space not found' }),
  setOf('setDefaultScheduleOfProject', 'projects', { error: 'Project not found' }),
]
