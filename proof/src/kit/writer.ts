// A writer creates, changes and deletes its own records, one write at a time, and records in the register what
// was acknowledged. Several may write for one user.
import type { Random } from './random.ts'
import { type Register, shown } from './register.ts'
import type { Answer, Send } from './persistent.ts'

type Task = { id: string; title: string; status: string; sortOrder: number; stamped: boolean }
type Block = { id: string; startAt: string; sortOrder: number; taskId: string | null }
type Item = { id: string; title: string; completed: boolean; taskId: string }
type Named = { id: string }

const hour = 3_600_000
const enough = { tasks: 10, blocks: 6, items: 6, labels: 3, documents: 3 }

type Settings = {
  name: string
  send: Send
  random: Random
  register: Register
  planner?: PlannerPart
}

/** The share of planner operations in the writes, and which ones. */
export type PlannerPart = { share: number; acts: ('run' | 'apply' | 'undo')[] }
const usual: PlannerPart = { share: 0.08, acts: ['run', 'run', 'apply', 'undo'] }

/** Returns a function that makes one write and waits for its answer. */
export function newWriter({ name, send, random, register, planner = usual }: Settings) {
  const { records } = register
  const tasks: Task[] = []
  const blocks: Block[] = []
  const items: Item[] = []
  const labels: Named[] = []
  const documents: Named[] = []
  let made = 0
  const token = () => `${name} ${(made += 1)}`

  async function write(method: string, path: string, body: unknown, ...accepted: number[]) {
    const answer = await send(method, path, body)
    const { status, attempts } = answer
    // Keys do not apply to DELETE: if an attempt deleted the record but got no answer, the next one gets 404.
    const isGone = method === 'DELETE' && status === 404 && attempts > 1
    if (!isGone && ![200, 201, ...accepted].includes(status)) {
      throw new Error(`${method} ${path} is answered ${status} ${JSON.stringify(answer.body)}`)
    }
    register.acknowledged += 1
    if (answer.headers.has('idempotency-replayed')) register.replayed += 1
    if (method !== 'DELETE' && status < 300) register.keys += 1
    return answer
  }
  const idOf = ({ body }: Answer) => (body as { id: string }).id
  const keepTask = (task: Task) => records.set(`task ${task.id}`, shown.task(task))
  const keepBlock = (block: Block) => records.set(`block ${block.id}`, shown.block(block))
  const keepItem = (item: Item) => records.set(`item ${item.id}`, shown.item(item))

  async function createTask() {
    const title = token()
    const answer = await write('POST', '/api/tasks', {
      title,
      estimateMinutes: random.pick([30, 60, 90, 120]),
      priority: random.pick(['none', 'low', 'high', 'urgent']),
      dueAt: new Date(Date.now() + random.between(1, 10) * 24 * hour).toISOString(),
    })
    const task = { id: idOf(answer), title, status: 'todo', sortOrder: 0, stamped: false }
    tasks.push(task)
    keepTask(task)
  }

  async function changeTask() {
    const task = random.pick(tasks)
    const changes = { title: token(), sortOrder: random.between(0, 1000) }
    await write('PATCH', `/api/tasks/${task.id}`, changes)
    keepTask(Object.assign(task, changes))
  }

  async function deleteTask() {
    const task = take(tasks)
    await write('DELETE', `/api/tasks/${task.id}?permanent=true`, undefined)
    records.delete(`task ${task.id}`)
    for (const block of blocks.filter(({ taskId }) => taskId === task.id)) {
      keepBlock(Object.assign(block, { taskId: null }))
    }
    for (const item of items.filter(({ taskId }) => taskId === task.id)) {
      items.splice(items.indexOf(item), 1)
      records.delete(`item ${item.id}`)
    }
  }

  async function completeTasks() {
    const chosen = tasks.filter(() => random.next() < 0.4)
    if (chosen.length === 0) return changeTask()
    const taskIds = chosen.map(({ id }) => id)
    await write('POST', '/api/tasks/batch', { action: 'complete', taskIds })
    for (const task of chosen) {
      keepTask(Object.assign(task, { status: 'completed', stamped: true }))
    }
  }

  async function createBlock() {
    const taskId = random.pick(tasks).id
    const start = Math.ceil(Date.now() / hour) * hour + random.between(1, 300) * hour
    const startAt = new Date(start).toISOString()
    const endAt = new Date(start + hour / 2).toISOString()
    const answer = await write('POST', '/api/time-blocks', { taskId, startAt, endAt })
    const block = { id: idOf(answer), startAt, sortOrder: 0, taskId }
    blocks.push(block)
    keepBlock(block)
  }

  async function reorderBlocks() {
    const ordered = blocks.toSorted(() => random.next() - 0.5)
    await write('PATCH', '/api/time-blocks/reorder', { orderedIds: ordered.map(({ id }) => id) })
    for (const [sortOrder, block] of ordered.entries())
      keepBlock(Object.assign(block, { sortOrder }))
  }

  async function deleteBlock() {
    const { id } = take(blocks)
    await write('DELETE', `/api/time-blocks/${id}`, undefined)
    records.delete(`block ${id}`)
  }

  async function createItem() {
    const title = token()
    const taskId = random.pick(tasks).id
    const id = idOf(await write('POST', '/api/checklist-items', { title, taskId }))
    const item = { id, title, taskId, completed: false }
    items.push(item)
    keepItem(item)
  }

  async function changeItem() {
    const item = random.pick(items)
    const changes = { title: token(), completed: !item.completed }
    await write('PATCH', `/api/checklist-items/${item.id}`, changes)
    keepItem(Object.assign(item, changes))
  }

  async function deleteItem() {
    const { id } = take(items)
    await write('DELETE', `/api/checklist-items/${id}`, undefined)
    records.delete(`item ${id}`)
  }

  const namedRecord = (kind: string, path: string, field: string, own: Named[]) => ({
    create: async () => {
      const value = token()
      const id = idOf(await write('POST', path, { [field]: value }))
      own.push({ id })
      records.set(`${kind} ${id}`, value)
    },
    change: async () => {
      const { id } = random.pick(own)
      const value = token()
      await write('PATCH', `${path}/${id}`, { [field]: value })
      records.set(`${kind} ${id}`, value)
    },
    remove: async () => {
      const { id } = take(own)
      await write('DELETE', `${path}/${id}`, undefined)
      records.delete(`${kind} ${id}`)
    },
  })
  const label = namedRecord('label', '/api/labels', 'name', labels)
  const document = namedRecord('document', '/api/documents', 'title', documents)

  async function runPlanner() {
    const { headers } = await write('POST', '/api/planner', undefined)
    register.runs += 1
    const id = headers.get('planner-run-id')
    if (id) records.set(`run ${id}`, 'applied')
  }

  async function previewAndApply() {
    const id = idOf(await write('POST', '/api/planner/preview', undefined))
    register.runs += 1
    records.set(`run ${id}`, 'preview')
    // 409: something has changed since the preview. 404: a hundred later runs have displaced it.
    const { status } = await write('POST', `/api/planner/runs/${id}/apply`, undefined, 404, 409)
    if (status === 200) records.set(`run ${id}`, 'applied')
  }

  async function undoRun() {
    const applied = [...records].findLast(
      ([key, state]) => key.startsWith('run ') && state === 'applied',
    )
    if (!applied) return runPlanner()
    const [record] = applied
    const path = `/api/planner/runs/${record.slice(4)}/undo`
    const { status } = await write('POST', path, undefined, 404, 409)
    if (status === 200) records.set(record, 'undone')
  }

  function take<Owned>(own: Owned[]): Owned {
    const chosen = random.pick(own)
    own.splice(own.indexOf(chosen), 1)
    return chosen
  }

  return async () => {
    if (tasks.length < 3) return createTask()
    if (random.next() < planner.share) {
      const acts = { run: runPlanner, apply: previewAndApply, undo: undoRun }
      return acts[random.pick(planner.acts)]()
    }
    const possible = [
      changeTask,
      changeTask,
      completeTasks,
      ...grow(tasks, enough.tasks, createTask, deleteTask),
      ...grow(blocks, enough.blocks, createBlock, deleteBlock),
      ...grow(items, enough.items, createItem, deleteItem),
      ...grow(labels, enough.labels, label.create, label.remove),
      ...grow(documents, enough.documents, document.create, document.remove),
      ...(blocks.length > 1 ? [reorderBlocks, reorderBlocks] : []),
      ...(items.length > 0 ? [changeItem] : []),
      ...(labels.length > 0 ? [label.change] : []),
      ...(documents.length > 0 ? [document.change] : []),
    ]
    return random.pick(possible)()
  }
}

/** Prefers creating while there are fewer than `most` records; deletes from then on. */
const grow = <Act>(own: unknown[], most: number, create: Act, remove: Act) =>
  own.length >= most ? [remove, remove] : own.length > 1 ? [create, create, remove] : [create]
