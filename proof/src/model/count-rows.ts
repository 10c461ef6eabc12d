import type { Rows } from './model.ts'

const bytesOf = (texts: Iterable<string>) =>
  [...texts].reduce((sum, text) => sum + Buffer.byteLength(text), 0)

/** A user's count of every resource that the service counts. */
export function countRows(rows: Rows) {
  const tasks = [...rows.tasks.values()]
  const projects = [...rows.projects.values()]
  const documents = [...rows.documents.values()]
  return {
    tasks: tasks.length,
    projects: projects.length,
    spaces: rows.spaces.size,
    labels: rows.labels.size,
    documents: documents.length,
    checklistItems: rows.items.size,
    schedulePreferences: rows.preferences.size,
    timeBlocks: [...rows.blocks.values()].filter(({ source }) => source === 'manual').length,
    dependencies: rows.dependencies.size,
    documentLinks: tasks.reduce((sum, { documentIds }) => sum + documentIds.size, 0),
    notifications: rows.notifications.size,
    textBytes: bytesOf([
      ...documents.map(({ content }) => content),
      ...[...tasks, ...projects].map(({ description }) => description),
    ]),
  }
}
