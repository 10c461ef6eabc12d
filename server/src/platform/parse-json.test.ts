import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isTooDeep, parseForeignJson } from './parse-json.ts'

describe('parseForeignJson', () => {
  it.for([
    '{"a":[1,"]}",{"b":null}]}',
    JSON.stringify('"[{'.repeat(10_000)),
    `${'['.repeat(500)}${']'.repeat(500)}`,
    `[${'[],'.repeat(10_000)}{}]`,
  ])('parses a text that is not nested too deep', (text) => {
    expect(parseForeignJson(text)).toEqual(JSON.parse(text))
  })

  it.for([
    `${'['.repeat(501)}${']'.repeat(501)}`,
    `${'{"a":'.repeat(501)}1${'}'.repeat(501)}`,
    `["\\"${'x'.repeat(10)}",${'{},['.repeat(9000)}]}`,
  ])('refuses a text that is nested too deep', (text) => {
    expect(isTooDeep(text)).toBe(true)
    expect(() => parseForeignJson(text)).toThrow(SyntaxError)
  })

  it('lets no invalid text end the process', () => {
    const module = fileURLToPath(new URL('parse-json.ts', import.meta.url))
    const program = `
      const { parseForeignJson } = await import(${JSON.stringify(module)})
      const tokens = ['{},[', '1,[', '[1],[', '{"a":1},[', '{"a":[{},', '"a",{"b":[']
      for (const token of tokens) for (const depth of [240, 490, 9000]) for (const end of ['', ']}', '1}', 'x', ']x']) {
        try { parseForeignJson('[' + token.repeat(depth) + end) } catch {}
        gc()
      }
      process.stdout.write('survived')`
    const { stdout } = spawnSync(
      process.execPath,
      ['--expose-gc', '--input-type=module', '--eval', program],
      { encoding: 'utf8' },
    )

    expect(stdout).toBe('survived')
  })
})
