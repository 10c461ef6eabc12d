// One raw HTTP connection for sequential requests: it is cheap, and knows whether a response was complete, which
// a client with a pool and retries hides.
import { once } from 'node:events'
import { connect } from 'node:net'

export type Answer = { status: number; head: string; body: string; tookMs: number }

/** A request without a complete response. */
export class Unanswered extends Error {
  /** Whether the service had begun to answer. */
  readonly begun: boolean
  constructor(reason: string, begun: boolean) {
    super(`${reason}${begun ? ' within its answer' : ''}`)
    this.begun = begun
  }
}

type Asked = {
  resolve: (answer: Answer) => void
  reject: (error: Error) => void
  at: number
}

export type Connection = Awaited<ReturnType<typeof openConnection>>

export async function openConnection(port: number, localAddress?: string) {
  const socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    ...(localAddress && { localAddress }),
  })
  let received = ''
  let asked: Asked | undefined
  let ended = false
  const end = (reason: string) => {
    ended = true
    asked?.reject(new Unanswered(reason, received !== ''))
    asked = undefined
  }
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    received += chunk
    const whole = readAnswer(received)
    if (!whole || !asked) return
    const { resolve, at } = asked
    asked = undefined
    received = ''
    resolve({ ...whole, tookMs: performance.now() - at })
  })
  await once(socket, 'connect')
  socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
  socket.on('close', () => end('closed'))
  return {
    socket,
    /** Whether it can be used again. */
    isOpen: () => !ended && !socket.destroyed && socket.writable,
    ask: (request: string) =>
      new Promise<Answer>((resolve, reject) => {
        if (ended) return reject(new Unanswered('closed before', false))
        asked = { resolve, reject, at: performance.now() }
        socket.write(request, 'latin1')
      }),
    close: () => void socket.destroy(),
  }
}

function readAnswer(text: string) {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = text.slice(0, headEnd)
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
  const from = headEnd + 4
  if (text.length < from + length) return undefined
  return { status: Number(head.slice(9, 12)), head, body: text.slice(from, from + length) }
}

type Ask = { key?: string; body?: unknown; headers?: Record<string, string> }

/** A request as text. */
export function request(
  method: string,
  path: string,
  { key, body, headers = {} }: Ask = {},
): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = Object.entries({
    host: 'localhost',
    ...(key && { authorization: `Bearer ${key}` }),
    ...(text && { 'content-type': 'application/json' }),
    ...(text && { 'content-length': String(Buffer.byteLength(text)) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`
}
