import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import '../../app.ts' // registers the statements of every feature
import '../../features/account/account-command.ts'
import '../../features/account/rotate-secret.ts'
import '../../jobs/worker.ts'
import { dumpStatements } from './dump-statements.ts'
import { statements } from './statement.ts'

describe('server/sql', () => {
  const folder = new URL('../../../sql/', import.meta.url)

  it('has every statement as it is sent; `npm run sql` writes the files', () => {
    const files = readdirSync(folder).map(
      (file) => [file, readFileSync(new URL(file, folder), 'utf8')] as const,
    )

    expect(new Map(files)).toEqual(dumpStatements(statements))
  })
})

describe('the dump', () => {
  const dump = (text: string) => dumpStatements(new Map([['things.do', text]])).get('things.sql')
  const withoutSpaces = (text = '') => text.replaceAll(/\s/g, '')

  it.each([...statements])('changes only the white space of %s', (_name, text) => {
    expect(withoutSpaces(dump(text))).toContain(`${withoutSpaces(`-- things.do${text}`)};`)
  })

  it('puts each clause of a long statement on its own line, and indents sub-selects', () => {
    const fields = ['first', 'second', 'third', 'fourth'].map((name) => `thing.${name}_column`)

    expect(
      dump(`
    with thing as (
      select ${fields.join()} from things thing where thing.user_id = $1
    ), other as (select from others where user_id = $1 and note is not null)
    select (select count(*) from thing where first_column between 1 and 2 or second_column is distinct from 'a (b') as found
      from other`),
    ).toBe(`-- Written by \`npm run sql\` from the statements in \`server/src\`. Do not edit.

-- things.do
with thing as (
  select thing.first_column, thing.second_column, thing.third_column, thing.fourth_column
  from things thing
  where thing.user_id = $1
), other as (select from others where user_id = $1 and note is not null)
select (
  select count(*)
  from thing
  where first_column between 1 and 2 or second_column is distinct from 'a (b'
) as found
from other;
`)
  })

  it('does not break a literal', () => {
    const literal = `'${'a, b '.repeat(30)}'`

    expect(dump(`select ${literal}`)).toContain(literal)
  })

  it('writes variants of a statement to a file of their own', () => {
    const names = ['tasks.find', 'tasks.list', 'tasks.list open']

    expect([...dumpStatements(new Map(names.map((name) => [name, 'select']))).keys()]).toEqual([
      'tasks.sql',
      'tasks.list.sql',
    ])
  })
})
