/** Compares JSON values by content; undefined equals null. */
export const isDeepEqual = (one: unknown, other: unknown) =>
  one === other || JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
