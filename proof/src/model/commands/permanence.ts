import fc from 'fast-check'

type Permanence = { query: string; forGood: boolean; bad: string[] }

/** Whether a deletion is permanent, by the query. */
export const permanence = fc.constantFrom<Permanence>(
  ...Array.from({ length: 4 }, () => ({ query: '', forGood: false, bad: [] })),
  { query: '?permanent=false', forGood: false, bad: [] },
  ...Array.from({ length: 6 }, () => ({ query: '?permanent=true', forGood: true, bad: [] })),
  { query: '?permanent=1', forGood: false, bad: ['permanent'] },
  { query: '?permanent=true&permanent=true', forGood: false, bad: ['permanent'] },
)
