import type { Client } from '@daywright/client'
import type { FullProject, ListedProject, ListedSpace, Project } from '@daywright/contract'
import { api } from '../api.ts'
import type { Expect } from '../optimistic-update.ts'
import { keys } from '../keys.ts'
import type { Action } from '../action.ts'
import { revertChange, revertLast } from '../undo.ts'

export type NewProject = Parameters<Client['projects']['create']>[0]
export type ProjectChanges = Parameters<Client['projects']['update']>[1]
type Named = Pick<Project, 'id' | 'name'>

const around = (id: string) => [keys.projects, keys.spaces, keys.project(id)]

function patchProject(expect: Expect, id: string, patch: Partial<Project>) {
  expect.update<ListedProject[]>(keys.projects, (projects) =>
    projects.map((project) => (project.id === id ? { ...project, ...patch } : project)),
  )
  expect.update<FullProject>(keys.project(id), (project) => ({ ...project, ...patch }))
}

export const createProject = (project: NewProject): Action<Project> => ({
  says: `Created project “${project.name}”.`,
  send: () => api.projects.create(project),
  settle: (made, expect) =>
    expect.update<ListedProject[]>(keys.projects, (projects) =>
      projects.some(({ id }) => id === made.id)
        ? projects
        : [...projects, { ...made, space: null, _count: { tasks: 0, documents: 0 } }],
    ),
  refreshes: [keys.projects, keys.spaces],
  undo: (made) => ({ send: () => revertLast(made.id), refreshes: around(made.id) }),
})

export const updateProject = (project: Project, changes: ProjectChanges, says: string): Action => {
  const { targetDate, ...rest } = changes
  const date = targetDate ? new Date(targetDate) : null
  return {
    says,
    expect: (expect) =>
      patchProject(expect, project.id, {
        ...(rest as Partial<Project>),
        ...(targetDate !== undefined && { targetDate: date }),
      }),
    record: project.id,
    send: () => api.projects.update(project.id, changes),
    refreshes: [...around(project.id), keys.tasks],
    undo: (answer) => ({
      send: () => revertChange(project, answer, Object.keys(changes)),
      refreshes: around(project.id),
    }),
  }
}

/** Archives a project and removes it from every list. Its tasks stay. */
export const archiveProject = (project: Named): Action => ({
  says: `Archived “${project.name}”.`,
  expect: (expect) => {
    patchProject(expect, project.id, { archived: true })
    leaveLists(expect, project.id)
  },
  send: () => api.projects.update(project.id, { archived: true }),
  refreshes: around(project.id),
  undo: () => ({ send: () => revertLast(project.id), refreshes: around(project.id) }),
})

export const restoreProject = (project: Named): Action => ({
  says: `Restored “${project.name}”.`,
  expect: (expect) => patchProject(expect, project.id, { archived: false }),
  send: () => api.projects.update(project.id, { archived: false }),
  refreshes: around(project.id),
  undo: () => ({ send: () => revertLast(project.id), refreshes: around(project.id) }),
})

function leaveLists(expect: Expect, id: string) {
  expect.update<ListedProject[]>(keys.projects, (projects) =>
    projects.filter((project) => project.id !== id),
  )
  expect.update<ListedSpace[]>(keys.spaces, (spaces) =>
    spaces.map((space) => ({
      ...space,
      projects: space.projects.filter((project) => project.id !== id),
    })),
  )
}
