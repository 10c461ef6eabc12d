import type { Row } from './run-harness.ts'

const heads = ['harness', 'dose', 'findings', 'mutants caught', 'seconds']

/** The result table in Markdown; below it the findings, missed faults and measurements. */
export function table(rows: Row[], leaks: string[]) {
  const cells = rows.map(({ name, tried, findings, planted, of, missed, seconds }) => [
    name,
    tried,
    String(findings.length),
    `${planted - missed.length} of ${planted}${of > planted ? ` (drawn from ${of})` : ''}`,
    seconds.toFixed(0),
  ])
  const widths = heads.map((head, i) =>
    Math.max(head.length, ...cells.map((row) => row[i]?.length ?? 0)),
  )
  const line = (row: string[]) =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  const rule = line(widths.map((width) => '-'.repeat(width)))
  const notes = rows.flatMap(({ name, findings, missed, figures }) => [
    ...findings.map((finding) => `${name} FOUND ${finding}`),
    ...missed.map((mutant) => `${name} MISSED ${mutant}`),
    ...figures.map((figure) => `${name}: ${figure}`),
  ])
  const secrets = leaks.length === 0 ? 'none' : leaks.join('; ')
  return [
    line(heads),
    rule,
    ...cells.map(line),
    '',
    ...notes,
    `Secrets in the logs: ${secrets}`,
    '',
  ].join('\n')
}
