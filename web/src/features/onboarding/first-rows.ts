export type Row = { text: string; minutes: number }

const emptyRow: Row = { text: '', minutes: 60 }
const fewest = 3

/** Adds empty rows until there are three. */
export const padRows = (rows: Row[]) => [
  ...rows,
  ...Array.from({ length: Math.max(0, fewest - rows.length) }, () => emptyRow),
]

/** Adds an empty row if there is none after `index`. */
export const withRowAfter = (rows: Row[], index: number) =>
  index + 1 < rows.length ? rows : [...rows, emptyRow]

/** Replaces the row at `index` by rows for these lines. Keeps all other rows with text. */
export const insertLines = (rows: Row[], index: number, lines: string[]) =>
  padRows([
    ...rows.slice(0, index),
    ...lines.map((text) => ({ ...emptyRow, text })),
    ...rows.slice(index + 1).filter(({ text }) => text !== ''),
  ])
