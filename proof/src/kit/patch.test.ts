import { describe, expect, it } from 'vitest'
import { applyPatches } from './patch.ts'

const source = 'one\ntwo\n\nthree\nfour\nfive\n'
const patch = `The title

--- a/numbers.ts
+++ b/numbers.ts
@@ -1,5 +1,5 @@
 one
 two

-three
+THREE
 four
`
const apply = (patches: string[], text = source) => applyPatches(patches, () => text)

describe('a patch', () => {
  it('changes the lines that it names', () => {
    expect(apply([patch])).toEqual(new Map([['numbers.ts', 'one\ntwo\n\nTHREE\nfour\nfive\n']]))
  })

  it('is applied where its lines have moved to', () => {
    const [text] = apply([patch], `zero\n${source}`).values()

    expect(text).toBe('zero\none\ntwo\n\nTHREE\nfour\nfive\n')
  })

  it('may change a line that is context in another patch', () => {
    const other = patch.replaceAll('-three\n+THREE', ' three').replace(' four', '-four\n+FOUR')
    const [text] = apply([patch, other]).values()

    expect(text).toBe('one\ntwo\n\nTHREE\nFOUR\nfive\n')
  })

  it.each([
    ['one line of its context is different', source.replace('two', '2')],
    ['the line that it removes is gone', source.replace('three\n', '')],
    ['it fits in two places, neither of them at its own line', `zero\n${source}${source}`],
  ])('is refused if %s', (_, text) => {
    expect(() => apply([patch], text)).toThrow('places in numbers.ts')
  })

  it('is applied at its own line, even if it fits in another place as well', () => {
    const [text] = apply([patch], source + source).values()

    expect(text).toBe(source.replace('three', 'THREE') + source)
  })

  it('is refused if another patch changes the same line', () => {
    expect(() => apply([patch, patch])).toThrow('numbers.ts:4 is changed twice')
  })

  it('is refused if a header states a wrong number of lines', () => {
    expect(() => apply([patch.replace('+1,5', '+1,6')])).toThrow('another number of lines')
  })

  it('may remove an SQL comment', () => {
    const removal = '--- a/q.ts\n+++ b/q.ts\n@@ -1,2 +1,1 @@\n--- why\n select\n'

    expect(apply([removal], '-- why\nselect\n')).toEqual(new Map([['q.ts', 'select\n']]))
  })

  it('may have the headers that git diff writes', () => {
    const header = (file: string) =>
      `diff --git a/${file} b/${file}\nindex 1111111..2222222 100644\n--- a/${file}\n+++ b/${file}\n`
    const hunk = '@@ -1 +1 @@ function heading\n-one\n+two\n'
    const texts = apply([`${header('a.ts')}${hunk}${header('b.ts')}${hunk}`], 'one\n')

    expect([...texts]).toEqual([
      ['a.ts', 'two\n'],
      ['b.ts', 'two\n'],
    ])
  })
})
