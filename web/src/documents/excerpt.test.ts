import { describe, expect, it } from 'vitest'
import { excerptOf } from './excerpt.ts'

describe('the excerpt of a document', () => {
  it('has no marks of Markdown', () => {
    const content = '## Plan\n\n> said\n\n- [x] **Name** and _price_\n1. a [link](https://x.test)'
    expect(excerptOf('Brief', content)).toBe('Plan · said · Name and price · a link')
  })

  it('keeps what only looks like a mark', () => {
    expect(excerptOf('Brief', 'user_id (two of them), 3 - 1')).toBe('user_id (two of them), 3 - 1')
  })

  it('does not repeat the title', () => {
    expect(excerptOf('Brief', '# Brief\n\nOne sentence.')).toBe('One sentence.')
  })

  it('leaves out lines without words, and says that there are none', () => {
    expect(excerptOf('Brief', 'one\n---\ntwo')).toBe('one · two')
    expect(excerptOf('Brief', '\n---\n')).toBe('Empty')
  })
})
