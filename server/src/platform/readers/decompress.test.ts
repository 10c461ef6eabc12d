import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decompress } from './decompress.ts'

const text = 'BEGIN'.repeat(1000)
const plain = (bytes: string) => Buffer.from(bytes)

describe('decompress', () => {
  it.for([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    [null, plain],
    ['unknown', plain],
  ] as const)('of %s gives the bytes', ([encoding, pack]) => {
    expect(decompress((pack as (text: string) => Buffer)(text), encoding, 5000)).toEqual(
      Buffer.from(text),
    )
  })

  it.for([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    [null, plain],
  ] as const)('of %s counts the bytes that come out', ([encoding, pack]) => {
    const packed = (pack as (text: string) => Buffer)(text)
    expect(decompress(packed, encoding, 4999)).toBe('too-large')
  })

  it('refuses a body that expands more than a calendar does', () => {
    const packed = gzipSync(Buffer.alloc(10_000_000))
    expect(packed.length).toBeLessThan(100_000)
    expect(decompress(packed, 'gzip', 50_000_000)).toBe('too-large')
  })

  it.for(['gzip', 'br', 'deflate'])('refuses a body that is not %s', (encoding) => {
    expect(decompress(Buffer.from('not compressed'), encoding, 5000)).toBe('incomplete')
  })
})
