import { newLabelsOf, taskOf, type QuickAdd, usualSessions } from '@daywright/quick-add'
import type { NewTask } from '../../../data/actions/tasks.ts'
import { api } from '../../../data/api.ts'
import { keys } from '../../../data/keys.ts'
import { perform } from '../../../data/run-mutation.ts'

/**
 * The task that a line describes, or undefined if a label was refused. Creates missing labels first; `made`
 * holds the ids of those that were created for earlier lines.
 */
export async function makeTask(
  parsed: QuickAdd,
  defaults: Partial<NewTask>,
  made = new Map<string, string>(),
): Promise<NewTask | undefined> {
  const { labelIds: named = [], ...task } = taskOf(parsed)
  const labelIds = [...(defaults.labelIds ?? []), ...named]
  for (const name of newLabelsOf(parsed)) {
    const key = name.toLowerCase()
    const id = made.get(key) ?? (await createLabel(name))
    if (id === undefined) return undefined
    made.set(key, id)
    labelIds.push(id)
  }
  return { ...usualSessions, ...defaults, ...task, ...(labelIds.length > 0 && { labelIds }) }
}

async function createLabel(name: string) {
  const made = await perform({ send: () => api.labels.create({ name }), refreshes: [keys.labels] })
  return made.ok ? made.answer.id : undefined
}
