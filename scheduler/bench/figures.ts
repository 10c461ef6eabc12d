// Means, shares and tables.

export const mean = (values: number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

export const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return 0
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)} %`

/** Rows of cells as aligned text; the first column to the left, figures to the right. */
export const table = (rows: string[][]): string => {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)))
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** CPU milliseconds of a call, all threads of the process included, and what it returned. */
export const timed = <T>(call: () => T): { result: T; ms: number } => {
  const before = process.cpuUsage()
  const result = call()
  const { user, system } = process.cpuUsage(before)
  return { result, ms: (user + system) / 1000 }
}
