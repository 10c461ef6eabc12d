import fc from 'fast-check'
import { bodyFor, call, expect, idFor, missing, success } from '../call.ts'
import { command } from '../command.ts'
import { freshId } from '../fresh-id.ts'
import { now, type Project, edit, touch } from '../model.ts'
import { fullProject, listedProjects, projectOf, projectWithSpace } from '../show.ts'
import {
  body,
  clearableMoment,
  flag,
  longText,
  moment,
  nullable,
  number,
  oneOf,
  pick,
  rarely,
  reference,
  text,
  whole,
} from '../values.ts'
import { forget } from '../world.ts'
import { permanence } from './permanence.ts'

const fields = {
  name: text(1, 200),
  description: longText,
  color: text(0, 50),
  icon: text(0, 100),
  spaceId: nullable(reference('spaces')),
  priority: nullable(whole(-2_147_483_648, 2_147_483_647, 0, 5)),
  targetDate: nullable(moment),
  autoSchedule: flag,
}
const changes = {
  ...fields,
  status: oneOf('backlog', 'planned', 'in_progress', 'completed', 'cancelled', 'archived'),
  targetDate: clearableMoment,
  archived: flag,
  sortOrder: number,
}
const notFound = { error: 'Project not found' }

export const projects = [
  command('listProjects', {}, rarely(pick, 2), async (scene, drawn) => {
    const operation = 'listProjects'
    const filter = drawn && idFor(scene, 'spaces', drawn)
    const path = filter ? `/api/projects?spaceId=${filter.segment}` : '/api/projects'
    const answer = await call(scene, { operation, method: 'GET', path })
    if (!answer) return
    const isWanted = ({ spaceId }: Project) => !filter || spaceId === filter.found
    expect(answer, operation, 200, listedProjects(scene.me, isWanted))
  }),

  command('createProject', {}, body(fields, ['name']), async (scene, drawn) => {
    const operation = 'createProject'
    const given = bodyFor(scene, drawn)
    const request = { operation, method: 'POST', path: '/api/projects', body: given }
    const answer = await call(scene, request)
    if (!answer) return
    if (given.missing.length > 0) return expect(answer, operation, 400, missing(given.missing))
    const { values } = given
    const createdAt = now(answer)
    const project: Project = {
      id: freshId(scene, answer),
      spaceId: values.spaceId ?? null,
      name: values.name,
      description: values.description ?? '',
      color: values.color ?? '#6B7280',
      icon: values.icon ?? 'folder',
      status: 'backlog',
      priority: values.priority ?? null,
      targetDate: values.targetDate ?? null,
      archived: false,
      autoSchedule: values.autoSchedule ?? true,
      sortOrder: 0,
      schedulePreferenceId: null,
      createdAt,
      updatedAt: createdAt,
    }
    expect(answer, operation, 201, projectOf(scene.me, project))
    scene.me.rows.projects.set(project.id, project)
  }),

  command('findProject', {}, pick, async (scene, pick) => {
    const operation = 'findProject'
    const { segment, found } = idFor(scene, 'projects', pick)
    const answer = await call(scene, { operation, method: 'GET', path: `/api/projects/${segment}` })
    if (!answer) return
    const project = scene.me.rows.projects.get(found)
    if (!project) return expect(answer, operation, 404, notFound)
    expect(answer, operation, 200, fullProject(scene.me, project))
  }),

  command(
    'updateProject',
    {},
    fc.record({ pick, changes: body(changes) }),
    async (scene, { pick, changes }) => {
      const operation = 'updateProject'
      const { segment, found } = idFor(scene, 'projects', pick)
      const given = bodyFor(scene, changes)
      const path = `/api/projects/${segment}`
      const answer = await call(scene, { operation, method: 'PATCH', path, body: given })
      if (!answer) return
      const project = scene.me.rows.projects.get(found)
      if (!project) return expect(answer, operation, 404, notFound)
      if (given.missing.length > 0) return expect(answer, operation, 400, missing(given.missing))
      edit(project, answer, () => Object.assign(project, given.values))
      expect(answer, operation, 200, projectWithSpace(scene.me, project))
    },
  ),

  command(
    'deleteProject',
    {},
    fc.record({ pick, permanence }),
    async (scene, { pick, permanence }) => {
      const operation = 'deleteProject'
      const { segment, found } = idFor(scene, 'projects', pick)
      const answer = await call(scene, {
        operation,
        method: 'DELETE',
        path: `/api/projects/${segment}${permanence.query}`,
        badQuery: permanence.bad,
      })
      if (!answer) return
      const { rows } = scene.me
      const project = rows.projects.get(found)
      if (!project) return expect(answer, operation, 404, notFound)
      expect(answer, operation, 200, success)
      if (!permanence.forGood) {
        return edit(project, answer, () => (project.archived = true))
      }
      forget(scene.me, 'projects', found)
      for (const table of [rows.tasks, rows.documents]) {
        for (const row of table.values()) {
          if (row.projectId !== found) continue
          row.projectId = null
          touch(row, answer)
        }
      }
    },
  ),
]
