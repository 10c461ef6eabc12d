import { describe, expect, it } from 'vitest'
import { parseXml } from './xml.ts'

const plenty = () => ({ elements: 1_000_000, characters: 1_000_000 })

describe('a large document', () => {
  it('has the text of its pieces', () => {
    const text = 'é😀\r\n&amp;'.repeat(30_000)

    const root = parseXml(`<a>${text}</a>`, plenty())

    expect(root.text).toBe('é😀\n&'.repeat(30_000))
  })
})

describe('an element with very many attributes', () => {
  it('is refused before they are resolved', () => {
    const attributes = Array.from({ length: 300_000 }, (_, i) => `xmlns:a${i}="b"`).join(' ')
    const budget = { elements: 1000, characters: 0 }

    expect(() => parseXml(`<a ${attributes}/>`, budget)).toThrow('too-large')
    expect(budget.elements).toBe(-1)
  })
})

describe('a document', () => {
  it.for(['', '<a>', '<a></b>', 'text', '<!DOCTYPE a><a/>', '<a/><b/>'])(
    'is refused if it is %j',
    (text) => {
      expect(() => parseXml(text, plenty())).toThrow('not-caldav')
    },
  )
})
