// Backs up during writes and once more after them, then restores both elsewhere: the data must be complete and
// consistent, and must be served as before.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import type pg from 'pg'
import { openConnection, request } from '../kit/connection.ts'
import { newDatabase, openPool } from '../kit/database.ts'
import { faultsOf } from '../kit/faults.ts'
import type { Harness, Trial } from '../kit/harness.ts'
import { brokenInvariants } from '../kit/invariants.ts'
import { runProgram } from '../kit/program.ts'
import { startServer } from '../kit/server.ts'
import { newWorkers, type Worker } from '../kit/tasks.ts'
import { differences, fingerprint } from './fingerprint.ts'

export const harness: Harness = {
  name: 'restore',
  prove,
  mostTogether: 2,
  mutants: faultsOf('restore'),
  mutantsInShort: 1,
  atOnce: 2,
}

async function prove(trial: Trial) {
  // Whether an inconsistency is noticed depends on chance, so a planted fault is tried several times.
  const rounds = trial.dose === 'long' ? 12 : trial.mutant ? 15 : 1
  const findings: string[] = []
  const figures: string[] = []
  for (let round = 0; round < rounds && findings.length === 0; round += 1) {
    const seen = await drill(trial, 40 * (trial.dose === 'long' ? 100 : 1))
    findings.push(...seen.findings)
    figures.push(seen.figure)
  }
  return { tried: `${2 * rounds} backups restored`, findings, figures: figures.slice(-1) }
}

async function drill(trial: Trial, tasksEach: number) {
  const { mutant, postgres } = trial
  const folder = await mkdtemp(join(tmpdir(), 'daywright-restore-'))
  const [source, fromBusy, fromQuiet] = await Promise.all([
    newDatabase(postgres, { isHasty: true }),
    newDatabase(postgres, { isHasty: true }),
    newDatabase(postgres, { isHasty: true }),
  ])
  const open = (url: string) => openPool(url, 1)
  const [db, busy, quiet] = [open(source.url), open(fromBusy.url), open(fromQuiet.url)]
  try {
    const people = await newWorkers(db, 5, tasksEach)
    await fill(db, people)
    const server = await startServer({ databaseUrl: source.url })
    const program = (name: string, file: string, databaseUrl: string) =>
      succeed(['server/bin/backup.ts', name, join(folder, file)], databaseUrl)

    const writing = write(Number(new URL(server.origin).port), people)
    await sleep(200)
    const before = new Set(writing.acknowledged)
    await program('write', 'busy', source.url)
    const after = new Set(writing.begun)
    await sleep(50)
    await writing.stop()
    await program('write', 'quiet', source.url)
    await Promise.all([
      program('restore', 'busy', fromBusy.url),
      program('restore', 'quiet', fromQuiet.url),
    ])

    const findings = [
      ...(await asOfOneMoment(busy, before, after)),
      ...(await brokenInvariants(busy)),
      ...(await brokenInvariants(quiet)),
      ...differences(await fingerprint(db), await fingerprint(quiet)),
      ...(await secretsIn(join(folder, 'quiet'), db)),
    ]
    if (findings.length === 0) {
      findings.push(...(await otherAnswers(server.origin, fromQuiet.url, people)))
    }
    await server.kill()
    const { rows } = await quiet.query<{ rows: string }>('select count(*) as rows from tasks')
    return {
      findings,
      figure: `${rows[0]?.rows} tasks, ${before.size} to ${after.size} writes at the backup`,
    }
  } finally {
    await Promise.all([db, busy, quiet].map((pool) => pool.end()))
    await Promise.all([source, fromBusy, fromQuiet].map(({ drop }) => drop()))
    await rm(folder, { recursive: true })
  }

  async function succeed(command: string[], databaseUrl: string) {
    const { code, output } = await runProgram(command, { databaseUrl, mutant })
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${output}`)
  }
}

/** Inserts more rows than one batch reads, with values that are easily restored wrongly. */
async function fill(db: pg.Pool, people: Worker[]) {
  for (const { id, taskIds } of people) {
    await db.query(
      `with account as (
         insert into auth.users (id, name, email) select id, display_name, email from users where id = $1
         returning id
       )
       insert into auth.sessions (id, token, user_id, expires_at)
       select gen_random_uuid(), 'a session of ' || id, id, '2099-01-01' from account`,
      [id],
    )
    await db.query(
      `insert into labels (user_id, id, name)
       select $1, gen_random_uuid(), 'zu Hause 🏡 "' || n || E'"\\n\\\\' from generate_series(1, 2950) n`,
      [id],
    )
    await db.query(
      `insert into checklist_items (user_id, id, task_id, title, sort_order)
       select $1, gen_random_uuid(), task, 'Step', random() from unnest($2::uuid[]) task, generate_series(1, 3)`,
      [id, taskIds],
    )
    await db.query(
      `insert into documents (user_id, id, title, content)
       values ($1, gen_random_uuid(), 'Doc', E'{"table":"public.tasks"}\\n{"end":1}')`,
      [id],
    )
  }
}

/** Writes tasks that contain their Idempotency-Key, and plans now and then. */
function write(port: number, people: Worker[]) {
  const begun = new Set<string>()
  const acknowledged = new Set<string>()
  const over = new AbortController()
  const all = people.map(async ({ key }, number) => {
    const connection = await openConnection(port)
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      if (turn % 40 === 39) await connection.ask(request('POST', '/api/planner', { key }))
      const mark = `${number}.${turn}`
      begun.add(mark)
      const asked = request('POST', '/api/tasks', {
        key,
        body: { title: `kept ${mark}`, autoSchedule: turn % 10 === 0 },
        headers: { 'idempotency-key': mark },
      })
      const { status } = await connection.ask(asked)
      if (status !== 201) throw new Error(`A write was answered ${status}`)
      acknowledged.add(mark)
    }
    connection.close()
  })
  const ended = Promise.all(all)
  ended.catch(() => {}) // handled when it is stopped
  return {
    begun,
    acknowledged,
    async stop() {
      over.abort()
      await ended
    },
  }
}

/** Checks that a backup contains neither a session nor the secret for decryption. */
async function secretsIn(file: string, db: pg.Pool) {
  const text = gunzipSync(await readFile(file)).toString()
  const { rows } = await db.query<{ secret: string; token: string }>(
    'select secret, token from auth.instance left join auth.sessions on true',
  )
  return [
    ...(rows.some(({ secret }) => text.includes(secret)) ? ['the backup has the secret'] : []),
    ...(rows.some(({ token }) => text.includes(token ?? 'none'))
      ? ['the backup has a session']
      : []),
  ]
}

/** Checks the backup made during writes. A task and its key are written together: it must have both or neither. */
async function asOfOneMoment(db: pg.Pool, before: Set<string>, after: Set<string>) {
  const { rows } = await db.query<{ task: string | null; key: string | null }>(
    `select substr(task.title, 6) as task, known.key
       from (select * from tasks where title like 'kept %') task
       full join idempotency_keys known
         on known.user_id = task.user_id and 'kept ' || known.key = task.title`,
  )
  const torn = rows.filter(({ task, key }) => task === null || key === null).length
  const there = new Set(rows.map(({ task }) => task))
  const lost = [...before].filter((mark) => !there.has(mark)).length
  const early = [...there].filter((mark) => mark !== null && !after.has(mark)).length
  return [
    ...(torn > 0 ? [`${torn} tasks without their key or keys without their task`] : []),
    ...(lost > 0 ? [`${lost} tasks from before the backup are not in it`] : []),
    ...(early > 0 ? [`${early} tasks from after the backup are in it`] : []),
  ]
}

/** The differences between the responses of the old and the new server, byte by byte. */
async function otherAnswers(origin: string, url: string, people: Worker[]) {
  const restored = await startServer({ databaseUrl: url })
  const paths = [
    '/api/tasks?limit=100',
    '/api/labels',
    '/api/spaces',
    '/api/projects',
    '/api/documents',
    '/api/planner/runs',
    '/api/recurrences',
    '/api/user',
  ]
  const findings: string[] = []
  for (const { key, taskIds } of people) {
    for (const path of [...paths, ...taskIds.slice(0, 3).map((id) => `/api/tasks/${id}`)]) {
      const read = async (at: string) => {
        const answer = await fetch(at + path, { headers: { authorization: `Bearer ${key}` } })
        return `${answer.status} ${await answer.text()}`
      }
      const [old, now] = [await read(origin), await read(restored.origin)]
      if (old !== now || !old.startsWith('200')) findings.push(`${path} is answered differently`)
    }
  }
  await restored.kill()
  return findings.slice(0, 5)
}
