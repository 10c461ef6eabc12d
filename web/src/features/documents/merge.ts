// Three-way merge of concurrent changes to the same text.
type Change = { from: number; to: number; text: string }

/** The difference between two texts, as one replacement. */
function changeBetween(before: string, after: string): Change {
  const most = Math.min(before.length, after.length)
  let from = 0
  while (from < most && before[from] === after[from]) from += 1
  let tail = 0
  while (tail < most - from && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  return { from, to: before.length - tail, text: after.slice(from, after.length - tail) }
}

const apply = (text: string, { from, to, text: put }: Change) =>
  text.slice(0, from) + put + text.slice(to)

/** The merged text; undefined for a conflict, where both sides changed the same place. */
export function merge(base: string, mine: string, theirs: string) {
  if (mine === theirs || theirs === base) return mine
  if (mine === base) return theirs
  const changes = [changeBetween(base, mine), changeBetween(base, theirs)] as const
  const [early, late] = changes[0].from <= changes[1].from ? changes : changes.toReversed()
  if (!early || !late || early.to >= late.from) return undefined
  return apply(apply(base, late), early)
}
