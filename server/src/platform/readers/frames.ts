// What goes between this process and a reader: frames of a value and of large parts, which are written and read
// without being copied or parsed, since that would take time of the main thread.
import { deserialize, serialize } from 'node:v8'

export type Frame = { value: unknown; parts: Buffer[] }

const headerBytes = 8
const lengthBytes = 4

/** The frame as buffers to be written one after the other. */
export function encodeFrame({ value, parts }: { value: unknown; parts: readonly Uint8Array[] }) {
  const body = serialize(value)
  const header = Buffer.alloc(headerBytes + lengthBytes * parts.length)
  header.writeUInt32LE(body.length, 0)
  header.writeUInt32LE(parts.length, lengthBytes)
  parts.forEach((part, i) => header.writeUInt32LE(part.length, headerBytes + lengthBytes * i))
  return [header, body, ...parts]
}

/** Collects chunks, and calls `onFrame` with each whole frame. */
export function decodeFrames(onFrame: (frame: Frame) => void) {
  const chunks: Buffer[] = []
  let length = 0

  /** Removes this many bytes from the front. */
  function take(count: number) {
    const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    const rest = whole.subarray(count)
    chunks.splice(0, chunks.length, ...(rest.length > 0 ? [rest] : []))
    length -= count
    return whole.subarray(0, count)
  }

  let header: { body: number; parts: number[] } | undefined
  let partCount: number | undefined
  return (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    for (;;) {
      if (!header) {
        if (length < headerBytes) return
        partCount ??= first(chunks, length).readUInt32LE(lengthBytes)
        const size = headerBytes + lengthBytes * partCount
        if (length < size) return
        const bytes = take(size)
        const parts = Array.from({ length: partCount }, (_, i) =>
          bytes.readUInt32LE(headerBytes + lengthBytes * i),
        )
        header = { body: bytes.readUInt32LE(0), parts }
      }
      const size = header.parts.reduce((sum, part) => sum + part, header.body)
      if (length < size) return
      const bytes = take(size)
      let at = header.body
      const parts = header.parts.map((part) => bytes.subarray(at, (at += part)))
      const value: unknown = deserialize(bytes.subarray(0, header.body))
      header = undefined
      partCount = undefined
      onFrame({ value, parts })
    }
  }
}

/** The first bytes, of which there are enough for a header. */
function first(chunks: Buffer[], length: number) {
  if (chunks[0]!.length >= Math.min(length, headerBytes)) return chunks[0]!
  const whole = Buffer.concat(chunks)
  chunks.splice(0, chunks.length, whole)
  return whole
}
