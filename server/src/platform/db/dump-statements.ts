// The statements as files for reading: `npm run sql` writes them to `server/sql`, one file per feature.
import { formatSql } from './format-sql.ts'

/** The text of each file by its name. A family of variants, such as `tasks.list open`, has its own file. */
export function dumpStatements(statements: Map<string, string>): Map<string, string> {
  const familyOf = (name: string) => name.split(' ', 1)[0] ?? ''
  const families = new Set([...statements.keys()].filter((name) => /\s/.test(name)).map(familyOf))
  const fileOf = (name: string) =>
    families.has(familyOf(name)) ? familyOf(name) : (name.split('.', 1)[0] ?? '')
  const inOrder = [...statements].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const files = Map.groupBy(inOrder, ([name]) => `${fileOf(name)}.sql`)
  return new Map([...files].map(([file, found]) => [file, header + found.map(show).join('\n')]))
}

const header = '-- Written by `npm run sql` from the statements in `server/src`. Do not edit.\n\n'

const show = ([name, text]: [string, string]) => `-- ${name}\n${formatSql(text)};\n`
