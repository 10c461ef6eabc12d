// Processes that read the bytes of strangers. A file that needs too much memory or time ends a reader, and not the
// service. Users take turns by the time that they have used.
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { decodeFrames, encodeFrame, type Frame } from './frames.ts'
import { readProcessCpu } from './process-cpu.ts'
import type { Answer, Request } from './tasks.ts'
import { takeTurns } from './turns.ts'

const processes = 2
const mostWaitingPerUser = 4
const usualLimits = { heapMb: 256, cpuMs: 10_000 }
/** For a machine that is busy, or does not say how much time a process has used. */
const patienceMs = 60_000
const lookMs = 250
const idleMs = 60_000
/** Only these variables are handed on, so that a reader knows neither the secret nor the database. */
const harmless = /^(NODE_|DAYWRIGHT_|PATH$|TZ$|LANG$)/

/** Whose bytes they are. */
export type Owner = { userId: string; /** What is read, for the metrics. */ name?: string }

export type Outcome =
  | { kind: 'done'; value: unknown; parts: Buffer[] }
  /** The reader was ended because it took too long. */
  | { kind: 'too-expensive' }
  /** The reader ended by itself, mostly because it had no memory left, or the task threw an error. */
  | { kind: 'died'; reason: string }
  | { kind: 'busy'; waitMs: number }

export type Limits = { heapMb: number; cpuMs: number }

export type Readers = ReturnType<typeof startReaders>

/** `onUse` gets the processor time and the bytes of each task. */
export function startReaders(
  tasks: URL,
  now: () => Date,
  onUse: (owner: Owner, use: { cpuMs: number; bytes: number }) => void = () => {},
  limits: Limits = usualLimits,
) {
  const turns = takeTurns({ places: processes, mostWaiting: mostWaitingPerUser })
  const idle: Reader[] = []
  const all = new Set<Reader>()
  let isStopped = false

  function takeReader() {
    const reader = idle.pop() ?? startReader(tasks, limits)
    reader.keep()
    all.add(reader)
    return reader
  }

  function giveBack(reader: Reader) {
    if (reader.hasEnded() || isStopped) {
      reader.end()
      all.delete(reader)
      return
    }
    idle.push(reader)
    reader.endAfter(idleMs, () => {
      idle.splice(idle.indexOf(reader), 1)
      all.delete(reader)
    })
  }

  async function run(
    owner: Owner,
    request: Request,
    parts: readonly Uint8Array[] = [],
  ): Promise<Outcome> {
    const { userId } = owner
    const waitMs = turns.waitMs(userId, now())
    if (waitMs > 0 || isStopped) return { kind: 'busy', waitMs }
    const turn = Promise.withResolvers<void>()
    if (!turns.enter(userId, now(), turn.resolve)) return { kind: 'busy', waitMs: 0 }
    await turn.promise
    let cpuMs = 0
    const reader = takeReader()
    try {
      const ran = await reader.run(request, parts)
      cpuMs = ran.cpuMs
      return ran.outcome
    } finally {
      giveBack(reader)
      turns.leave(userId, cpuMs, now())
      onUse(owner, { cpuMs, bytes: parts.reduce((sum, { length }) => sum + length, 0) })
    }
  }

  function stop() {
    isStopped = true
    for (const reader of all) reader.end()
  }

  return { run, stop }
}

type Reader = ReturnType<typeof startReader>
type Ran = { outcome: Outcome; cpuMs: number }

function startReader(tasks: URL, limits: Limits) {
  const child: ChildProcess = spawn(
    process.execPath,
    [
      ...process.execArgv.filter(
        (flag) => !flag.startsWith('--max') && !flag.startsWith('--inspect'),
      ),
      `--max-old-space-size=${limits.heapMb}`,
      '--permission',
      '--allow-fs-read=*',
      fileURLToPath(new URL('./reader-process.ts', import.meta.url)),
      tasks.href,
    ],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => harmless.test(name))),
    },
  )
  preferToEnd(child)
  let timer: NodeJS.Timeout | undefined
  let onFrame: (frame: Frame) => void = () => {}
  let hasEnded = false
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(`It ended with ${signal ?? code}`))
  }).finally(() => (hasEnded = true))
  child.stdout!.on(
    'data',
    decodeFrames((frame) => onFrame(frame)),
  )
  // A reader that has ended breaks its pipes; `ended` reports it.
  child.stdin!.on('error', () => {})
  child.stdout!.on('error', () => {})
  // An idle reader does not keep the service running.
  const refer = (isNeeded: boolean) => {
    const method = isNeeded ? 'ref' : 'unref'
    child[method]()
    for (const pipe of [child.stdin, child.stdout]) (pipe as unknown as ChildProcess)[method]()
  }

  async function run(request: Request, parts: readonly Uint8Array[]): Promise<Ran> {
    const cpuBefore = cpuOf(child) ?? 0
    const answered = new Promise<Frame>((resolve) => (onFrame = resolve))
    for (const bytes of encodeFrame({ value: request, parts })) child.stdin!.write(bytes)
    const watch = watchTime(child, cpuBefore, limits.cpuMs)
    try {
      const first = await Promise.race([answered, watch.over, ended])
      if (first === 'over') {
        child.kill('SIGKILL')
        return { outcome: { kind: 'too-expensive' }, cpuMs: watch.cpuMs() }
      }
      if (typeof first === 'string') {
        return { outcome: { kind: 'died', reason: first }, cpuMs: watch.cpuMs() }
      }
      const answer = first.value as Answer
      if ('fault' in answer) {
        return { outcome: { kind: 'died', reason: answer.fault }, cpuMs: answer.cpuMs }
      }
      const { result: value, cpuMs } = answer
      return { outcome: { kind: 'done', value, parts: first.parts }, cpuMs }
    } finally {
      watch.stop()
    }
  }

  function end() {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }

  return {
    run,
    end,
    hasEnded: () => hasEnded || child.killed,
    keep() {
      clearTimeout(timer)
      refer(true)
    },
    endAfter(ms: number, onEnd: () => void) {
      refer(false)
      timer = setTimeout(() => {
        onEnd()
        end()
      }, ms)
      timer.unref()
    },
  }
}

/** If the system has no memory left, it ends a reader before the service. Only Linux can be told. */
function preferToEnd({ pid }: ChildProcess) {
  if (pid !== undefined) writeFile(`/proc/${pid}/oom_score_adj`, '1000').catch(() => {})
}

const cpuOf = ({ pid }: ChildProcess) => (pid === undefined ? undefined : readProcessCpu(pid))

/** Watches the time of one task: `over` resolves when it has used too much. */
function watchTime(child: ChildProcess, cpuBefore: number, mostCpuMs: number) {
  const { promise: over, resolve } = Promise.withResolvers<'over'>()
  let cpuMs = 0
  let waitedMs = 0
  const timer = setInterval(() => {
    waitedMs += lookMs
    const cpu = cpuOf(child)
    cpuMs = cpu === undefined ? waitedMs : cpu - cpuBefore
    if (cpuMs > mostCpuMs || waitedMs > patienceMs) resolve('over')
  }, lookMs)
  return { over, cpuMs: () => cpuMs, stop: () => clearInterval(timer) }
}
