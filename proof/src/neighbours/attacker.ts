// The attacker in a separate process, so that it does not delay the bystander's requests. It receives orders as
// messages, and answers with counts of the responses.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setMaxListeners } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { AttackOptions, Tally } from './attack.ts'
import { type AttackName, attacks } from './attacks.ts'

type Order = Omit<AttackOptions, 'signal'> & { attack: AttackName }

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const over = new AbortController()
  setMaxListeners(0, over.signal)
  const tally: Tally = {}
  const count = (what: string) => (tally[what] = (tally[what] ?? 0) + 1)
  process.on('message', (message: Order | 'stop') => {
    if (message !== 'stop') {
      void attacks[message.attack]({ ...message, signal: over.signal }, count).catch(() => {})
      return
    }
    over.abort()
    process.send?.(tally, () => process.exit(0))
  })
}

/** Starts an attack; `stop` ends it and returns the counts. */
export function startAttack(order: Order) {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: [] })
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  child.send(order)
  return {
    async stop(): Promise<Tally> {
      const said = once(child, 'message')
      child.send('stop')
      const [tally] = (await said) as [Tally]
      process.off('exit', kill)
      return tally
    },
  }
}
