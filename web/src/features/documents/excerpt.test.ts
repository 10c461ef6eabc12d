import { describe, expect, it } from 'vitest'
import { excerptOf } from './excerpt.ts'

describe('the excerpt of a document', () => {
  it('has no Markdown syntax', () => {
    const content = '## Plan\n\n> said\n\n- [x] **Name** and _price_\n1. a [link](https://x.test)'
    expect(excerptOf('Brief', content)).toBe('Plan · said · Name and price · a link')
  })

  it('keeps text that only looks like syntax', () => {
    expect(excerptOf('Brief', 'user_id (two of them), 3 - 1')).toBe('user_id (two of them), 3 - 1')
  })

  it('does not repeat the title', () => {
    expect(excerptOf('Brief', '# Brief\n\nOne sentence.')).toBe('One sentence.')
  })

  it('skips lines without words, and reports an empty text', () => {
    expect(excerptOf('Brief', 'one\n---\ntwo')).toBe('one · two')
    expect(excerptOf('Brief', '\n---\n')).toBe('Empty')
  })
})
