import { describe, expect, it } from 'vitest'
import { parseXml } from './xml.ts'

const plenty = () => ({ elements: 1_000_000 })

describe('a large document', () => {
  it('is parsed in pieces, and other work runs between them', async () => {
    let turns = 0
    let isDone = false
    const count = () => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)

    await parseXml(`<a>${'<b/>'.repeat(50_000)}</a>`, plenty())
    isDone = true

    // 200,007 characters are eleven pieces.
    expect(turns).toBeGreaterThanOrEqual(10)
  })

  it('has the same text wherever a piece ends', async () => {
    const text = 'é😀\r\n&amp;'.repeat(30_000)

    const root = await parseXml(`<a>${text}</a>`, plenty())

    expect(root.text).toBe('é😀\n&'.repeat(30_000))
  })
})

describe('a document', () => {
  it.for(['', '<a>', '<a></b>', 'text', '<!DOCTYPE a><a/>', '<a/><b/>'])(
    'is refused if it is %j',
    async (text) => {
      await expect(parseXml(text, plenty())).rejects.toMatchObject({ reason: 'not-caldav' })
    },
  )
})
