/** For values as they come from JSON. */
export const isDeepEqual = (one: unknown, other: unknown) =>
  one === other || JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
