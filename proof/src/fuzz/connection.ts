// Raw HTTP: exactly the bytes that the harness wrote are sent.
import { connect, type Socket } from 'node:net'

export type Sent = { method: string; target: string; headers: [string, string][]; body?: string }
export type Answer = {
  status: number
  headers: Record<string, string>
  text: string
  ms: number
}

export type Connection = ReturnType<typeof openConnection>

export function openConnection(origin: string) {
  const { hostname, port } = new URL(origin)
  let socket: Socket | undefined
  let buffer: Buffer = Buffer.alloc(0)
  let waiting:
    | {
        done: (answer: Answer) => void
        failed: (error: Error) => void
        began: number
      }
    | undefined

  function open() {
    const opened = connect({ host: hostname, port: Number(port), noDelay: true })
    buffer = Buffer.alloc(0)
    opened.on('data', (chunk: Buffer) => {
      buffer = buffer.length > 0 ? Buffer.concat([buffer, chunk]) : chunk
      settle()
    })
    const lost = () => {
      if (socket !== opened) return
      socket = undefined
      waiting?.failed(new Error('it hung up without an answer'))
      waiting = undefined
    }
    opened.on('error', lost)
    opened.on('close', lost)
    return opened
  }

  function settle() {
    const read = readAnswer(buffer)
    if (!read || !waiting) return
    const { done, began } = waiting
    buffer = Buffer.from(buffer.subarray(read.length))
    waiting = undefined
    if (read.answer.headers.connection === 'close' || isStream(read.answer)) close()
    done({ ...read.answer, ms: performance.now() - began })
  }

  function close() {
    const closed = socket
    socket = undefined
    closed?.destroy()
  }

  return {
    close,
    send({ method, target, headers, body }: Sent, patienceMs: number): Promise<Answer> {
      socket ??= open()
      const bytes = body === undefined ? undefined : Buffer.from(body)
      const head = [
        `${method} ${target} HTTP/1.1`,
        `host: ${hostname}:${port}`,
        ...headers.map(([name, value]) => `${name}: ${value}`),
        ...(bytes ? [`content-length: ${bytes.length}`] : []),
        '',
        '',
      ].join('\r\n')
      const sending = socket
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting = undefined
          close()
          reject(new Error(`no answer within ${patienceMs} ms`))
        }, patienceMs)
        waiting = {
          began: performance.now(),
          done(answer) {
            clearTimeout(timer)
            resolve(answer)
          },
          failed(error) {
            clearTimeout(timer)
            reject(error)
          },
        }
        sending.write(bytes ? Buffer.concat([Buffer.from(head, 'latin1'), bytes]) : head, 'latin1')
      })
    },
  }
}

/** A stream never ends, so its headers are enough. */
export const isStream = ({ headers }: Pick<Answer, 'headers'>) =>
  headers['content-type']?.startsWith('text/event-stream') ?? false

/** The first response in the bytes, if it is complete. The service always sends a Content-Length. */
function readAnswer(
  buffer: Buffer,
  at = 0,
): { length: number; answer: Omit<Answer, 'ms'> } | undefined {
  const end = buffer.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const status = Number(buffer.toString('latin1', 9, 12))
  if (status === 100) return readAnswer(buffer.subarray(end + 4), at + end + 4)
  const [, ...lines] = buffer.toString('latin1', 0, end).split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value
  }
  const length = end + 4 + Number(headers['content-length'] ?? 0)
  if (buffer.length < length) return undefined
  const text = buffer.toString('utf8', end + 4, length)
  return { length: at + length, answer: { status, headers, text } }
}
