// The same operations in two ways: pgbench with the service's own statements, wrk with HTTP.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import '../src/app.ts' // registers every statement
import { statements } from '../src/db/statement.ts'
import { taskId, tasksOfWriter, type World } from './seed.ts'

const run = promisify(execFile)
const clients = '16'
const newTask = { title: 'Write the report', priority: 'high', estimateMinutes: 90 }

/** The actor, as in events. */
const actor = JSON.stringify({ kind: 'person' })

/** The row that the API makes of newTask. */
const newRow = {
  description: '',
  status: 'todo',
  priority: 'high',
  min_session_minutes: 5,
  max_session_minutes: 60,
  cooldown_minutes: 5,
  auto_schedule: true,
  auto_split: true,
  title: newTask.title,
  estimate_minutes: 90,
  archived_at: null,
}

export async function requireTools() {
  for (const tool of ['pgbench', 'wrk']) {
    await run('which', [tool]).catch(() => {
      throw new Error(`The bench needs ${tool}: on Debian, apt-get install postgresql-contrib wrk`)
    })
  }
}

/** Transactions per second on the bare engine. */
export async function loadEngine(
  url: string,
  folder: string,
  { reader, writer }: World,
  name: string,
  seconds: number,
) {
  const { text, values } = {
    'point read': { text: statements.get('tasks.find'), values: { 1: reader.id } },
    'list of 50': {
      text: statements.get('tasks.list open'),
      values: { 1: reader.id, 2: 50, 3: 1 },
    },
    create: {
      text: statements.get('tasks.insert')?.replace('$2', 'gen_random_uuid()'),
      values: { 1: writer.id, 3: JSON.stringify(newRow), 4: actor },
    },
    update: {
      text: statements.get('tasks.update'),
      values: {
        1: writer.id,
        3: JSON.stringify({ title: 'Write it again', priority: 'low' }),
        4: '2026-03-02T08:00:00Z',
        5: actor,
      },
    },
  }[name] ?? { text: '', values: {} }
  // pgbench variables are numbers: the id of a task is derived from its number.
  const script = text?.replaceAll(/\$(\d)/g, (_match, number: string) =>
    number === '2' && !('2' in values) ? taskId(':number::int') : `:given${number}`,
  )
  const file = join(folder, 'load.sql')
  await writeFile(
    file,
    `\\set number random(1, ${tasksOfWriter})\n${script?.replaceAll(/\s*\n\s*/g, ' ')};\n`,
  )
  const variables = Object.entries(values).flatMap(([number, value]) => [
    '-D',
    `given${number}=${value}`,
  ])
  const { stdout } = await run(
    'pgbench',
    ['-nMprepared', `-c${clients}`, '-j1', `-T${seconds}`, ...variables, '-f', file, url],
    { maxBuffer: 10_000_000 },
  )
  return figure(stdout, /tps = ([\d.]+)/)
}

/** Requests per second through the API; any response except success ends the benchmark. */
export async function loadApi(
  origin: string,
  folder: string,
  { reader, writer }: World,
  name: string,
  seconds: number,
) {
  const person = name === 'create' || name === 'update' ? writer : reader
  const { method, path, body } = {
    'point read': { method: 'GET', path: `/api/tasks/`, body: undefined },
    'list of 50': { method: 'GET', path: '/api/tasks?limit=50', body: undefined },
    create: { method: 'POST', path: '/api/tasks', body: newTask },
    update: {
      method: 'PATCH',
      path: '/api/tasks/',
      body: { title: 'Write it again', priority: 'low' },
    },
  }[name] ?? { method: '', path: '', body: undefined }
  const ids = path.endsWith('/') ? person.taskIds : ['']
  const file = join(folder, 'load.lua')
  await writeFile(
    file,
    `local ids = { ${ids.map((id) => `"${id}"`).join(', ')} }
local requests = {}
local n = 0
function init()
  local headers = { ["Authorization"] = "Bearer ${person.key}", ["Content-Type"] = "application/json" }
  for i, id in ipairs(ids) do
    requests[i] = wrk.format("${method}", "${path}" .. id, headers, ${body ? `[[${JSON.stringify(body)}]]` : 'nil'})
  end
end
function request()
  n = n % #ids + 1
  return requests[n]
end
`,
  )
  const { stdout } = await run('wrk', ['-t1', `-c${clients}`, `-d${seconds}s`, '-s', file, origin])
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${name} failed:\n${stdout}`)
  return figure(stdout, /Requests\/sec:\s+([\d.]+)/)
}

function figure(output: string, pattern: RegExp) {
  const [, number] = pattern.exec(output) ?? []
  if (!number) throw new Error(`No figure in:\n${output}`)
  return Number(number)
}
