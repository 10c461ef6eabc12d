// observe.patch makes the processes report their work; this parses the reports.
import type { ChildProcess } from 'node:child_process'

/**
 * A job of a user, a planner run, its transaction, and the delivery of one message to one webhook; or a pool of
 * workers, under whose id jobs are locked.
 */
export type What = 'job' | 'run' | 'write' | 'send' | 'pool'
export type Sign = { what: What; key: string; begins: boolean; at: number; pid: number }

export const patches = ['proof/src/engine/observe.patch']

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
