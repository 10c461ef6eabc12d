// Reads unified diffs and applies them to the sources that they name.

export type Hunk = {
  /** Relative to the root of the repository. */
  path: string
  /** The line of the original at which the hunk begins, counted from 0. */
  at: number
  /** The numbers of lines that its header states, before and after. */
  counts: [number, number]
  /** Each begins with ' ', '-' or '+'. */
  lines: string[]
}

/** A run of lines of the original, and the lines that replace it. */
export type Change = { path: string; at: number; removed: string[]; added: string[] }

/** The text before the first file, and the hunks of all files, without the other lines that `git diff` writes. */
export function parsePatch(text: string): { head: string; hunks: Hunk[] } {
  const lines = linesOf(text)
  // A removed SQL comment begins with '--- ', too; but no '+++ ' follows it.
  const beginsFile = (at: number) =>
    lines[at]?.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ')
  const first = lines.findIndex((_, at) => beginsFile(at))
  if (first < 0) throw new Error('It names no file: "--- a/…", "+++ b/…"')
  const hunks: Hunk[] = []
  let path = ''
  let hunk: Hunk | undefined
  for (let at = first; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (beginsFile(at)) {
      path = (lines[(at += 1)] ?? '').replace(/^\+\+\+ (b\/)?/, '')
      hunk = undefined
    } else if (line.startsWith('@@ ')) {
      hunks.push((hunk = newHunk(path, line)))
    } else if (hunk && /^[ +-]|^$/.test(line)) {
      hunk.lines.push(line || ' ') // editors trim the space of an empty line
    } else {
      hunk = undefined
    }
  }
  const head = lines.slice(0, first).filter((line) => !/^(diff --git|index) /.test(line))
  return { head: head.join('\n').trim(), hunks }
}

function newHunk(path: string, header: string): Hunk {
  const found = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(header)
  if (!found) throw new Error(`Not the header of a hunk: ${header}`)
  const [, at, before = 1, after = 1] = found
  return { path, at: Number(at) - 1, counts: [Number(before), Number(after)], lines: [] }
}

/**
 * The texts of all files that the patches change, by path. Every change is made to the original, so that a patch may
 * change what is context in another. Throws if a patch does not fit.
 */
export function applyPatches(patches: string[], read: (path: string) => string) {
  const hunks = patches.flatMap((patch) => parsePatch(patch).hunks)
  const texts = new Map<string, string>()
  for (const [path, ofFile] of Map.groupBy(hunks, (hunk) => hunk.path)) {
    const source = linesOf(read(path))
    const changes = ofFile.flatMap((hunk) => {
      checkCounts(hunk)
      return changesOf(hunk, findPlace(hunk, source))
    })
    texts.set(path, changeLines(source, changes))
  }
  return texts
}

/** The line where the hunk fits, context included: its own line, or else the only place that matches. */
export function findPlace(hunk: Hunk, source: string[]) {
  const old = oldLines(hunk)
  const fits = (start: number) => old.every((line, n) => source[start + n] === line)
  if (old.length > 0 && fits(hunk.at)) return hunk.at
  const places = [...source.keys()].filter(fits)
  if (places.length === 1 && places[0] !== undefined) return places[0]
  throw new Error(`${places.length} places in ${hunk.path} have the lines of ${hunk.at + 1}`)
}

/** The lines of the original that the hunk shows. */
export const oldLines = ({ lines }: Hunk) =>
  lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1))

/** The changes of a hunk that begins at the line. */
export function changesOf({ path, lines }: Hunk, start: number) {
  const changes: Change[] = []
  let at = start
  let change: Change | undefined
  for (const line of lines) {
    const isContext = line.startsWith(' ')
    if (isContext) change = undefined
    else if (!change) changes.push((change = { path, at, removed: [], added: [] }))
    if (line.startsWith('+')) change?.added.push(line.slice(1))
    else at += 1
    if (line.startsWith('-')) change?.removed.push(line.slice(1))
  }
  return changes
}

function checkCounts({ path, at, counts: [before, after], lines }: Hunk) {
  const count = (sign: string) => lines.filter((line) => !line.startsWith(sign)).length
  if (before !== count('+') || after !== count('-'))
    throw new Error(`The header of the hunk ${path}:${at + 1} states another number of lines`)
}

function changeLines(source: string[], changes: Change[]) {
  const lines: string[] = []
  let done = 0
  for (const { path, at, removed, added } of changes.toSorted((a, b) => a.at - b.at)) {
    if (at < done) throw new Error(`${path}:${at + 1} is changed twice`)
    lines.push(...source.slice(done, at), ...added)
    done = at + removed.length
  }
  return [...lines, ...source.slice(done), ''].join('\n')
}

export const linesOf = (text: string) => text.replace(/\n$/, '').split('\n')
