import { describe, expect, it } from 'vitest'
import { decodeFrames, encodeFrame, type Frame } from './frames.ts'

const frames = [
  { value: { a: [1, undefined, new Date(0)], b: new Map([['c', 'é']]) }, parts: [] },
  { value: 'x', parts: [Buffer.from('one'), Buffer.alloc(0), Buffer.from('three')] },
  { value: null, parts: [Buffer.alloc(100_000, 7)] },
]
const bytes = Buffer.concat(frames.flatMap(encodeFrame))

describe('frames', () => {
  it.for([1, 2, 7, 9, 1000, bytes.length])('arrive whole in chunks of %i bytes', (size) => {
    const read: Frame[] = []
    const decode = decodeFrames((frame) => void read.push(frame))
    for (let at = 0; at < bytes.length; at += size) decode(bytes.subarray(at, at + size))

    expect(read).toEqual(frames)
  })
})
