// Instruments the processes to report their work, and parses the reports. Each run is also made to last longer,
// so that a kill or a change falls into it.
import type { ChildProcess } from 'node:child_process'
import type { Edit } from '../kit/plant.ts'

const lastsMs = 80

/** A job of a user, a planner run in it, and the delivery of one message to one webhook. */
export type What = 'attend' | 'run' | 'send'
export type Sign = { what: What; key: string; begins: boolean; at: number; pid: number }

const says = (begins: boolean, what: What, key: string) =>
  `process.stdout.write(\`~ ${begins ? '+' : '-'} ${what} ${key} \${Date.now()}\\n\`)`
const begins = (what: What, key: string) => says(true, what, key)
const ends = (what: What, key: string) => says(false, what, key)

const attending = 'attend({ db, now, solve, enqueueDeliveries, onRun }, userId)'
const planning = 'const made = await makePlan(transaction, userId, now, solve, isAutomatic)'
const planned = 'return { runId, result: solved.summary.result }'
const user = '${userId}'
const message = '${userId}/${webhookId}/${message.seq}-${message.part}'
const attempted = '${userId}/${webhookId}/${attempt.message.seq}-${attempt.message.part}'

const runPlanner = 'server/src/planner/run-planner.ts'
const deliver = 'server/src/webhooks/deliver.ts'

export const observe: Edit[] = [
  {
    file: 'server/src/worker/worker.ts',
    find: `(userId) => ${attending}`,
    replace: `async (userId) => {
        ${begins('attend', user)}
        try { await ${attending} } finally { ${ends('attend', user)} }
      }`,
  },
  {
    file: runPlanner,
    find: planning,
    replace: `${begins('run', user)}
      try {
        ${planning}
        await new Promise((resolve) => setTimeout(resolve, ${lastsMs}))`,
  },
  {
    file: runPlanner,
    find: planned,
    replace: `${ends('run', user)}
        ${planned}
      } catch (error) {
        ${ends('run', user)}
        throw error
      }`,
  },
  {
    file: deliver,
    find: 'if (isWanted(webhook, message)) {',
    replace: `if (isWanted(webhook, message)) {\n${begins('send', message)}`,
  },
  {
    file: deliver,
    find: 'stored = message',
    replace: `stored = message\n${ends('send', message)}`,
  },
  {
    file: deliver,
    find: 'if (attempt.status === 410)',
    replace: `${ends('send', attempted)}\nif (attempt.status === 410)`,
  },
]

/** Calls `hear` with every report of the process. */
export function listen(child: ChildProcess, hear: (sign: Sign) => void) {
  let rest = ''
  child.stdout?.on('data', (chunk) => {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [, sign, what, key = '', at] = /^~ ([+-]) (\w+) (\S+) (\d+)$/.exec(line) ?? []
      if (!sign) continue
      hear({ what: what as What, key, begins: sign === '+', at: Number(at), pid: child.pid ?? 0 })
    }
  })
}
