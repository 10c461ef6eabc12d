// Adapts a patch to sources that have moved: searches all of them for the lines that it removes.
import { basename } from 'node:path'
import {
  applyPatches,
  type Change,
  changesOf,
  findPlace,
  type Hunk,
  oldLines,
  parsePatch,
} from './patch.ts'

/** The lines of each source, by path. */
export type Sources = Map<string, string[]>

/** A change, and the lines of the original around it that the patch shows. */
type Sought = Change & { before: string[]; after: string[] }

type Place = { path: string; at: number; indent: number; alike: number; score: number }

const contextLines = 3

/** The patch with its current paths, line numbers and context; or why it no longer fits. */
export function refreshPatch(text: string, sources: Sources) {
  const { head, hunks } = parsePatch(text)
  const notes: string[] = []
  try {
    const changes = hunks.flatMap((hunk) => locate(hunk, sources, notes))
    const refreshed = formatPatch(head, changes, sources)
    applyPatches([refreshed], (path) => `${sources.get(path)?.join('\n')}\n`)
    return { text: refreshed, notes }
  } catch (error) {
    return { misfit: (error as Error).message, notes }
  }
}

/** The changes of the hunk, where they are now. */
function locate(hunk: Hunk, sources: Sources, notes: string[]): Change[] {
  const source = sources.get(hunk.path)
  try {
    if (source) return changesOf(hunk, findPlace(hunk, source))
  } catch {
    // Its lines are no longer together: search for each change.
  }
  const old = oldLines(hunk)
  return changesOf(hunk, 0).map((change) => {
    const before = old.slice(0, change.at)
    const after = old.slice(change.at + change.removed.length)
    const { path, at, indent, alike } = findChange({ ...change, before, after }, sources)
    const all = trimLines([...before, ...after]).length
    notes.push(
      `${hunk.path}:${hunk.at + change.at + 1} → ${path}:${at + 1}, ${alike} of ${all} lines of context`,
    )
    const indentLines = (lines: string[]) => lines.map((line) => indentBy(line, indent))
    return { path, at, removed: indentLines(change.removed), added: indentLines(change.added) }
  })
}

function findChange(sought: Sought, sources: Sources): Place {
  const { removed, before, after } = sought
  const places = rankPlaces(sought, sources)
  const [best, second] = places
  const wanted = (removed.length > 0 ? removed : [before.at(-1), after[0]]).join('\n')
  if (!best) {
    const [near] = rankPlaces({ ...sought, removed: [] }, sources)
    const hint = near ? `; the most similar context is at ${near.path}:${near.at + 1}` : ''
    throw new Error(`no source has these lines${hint}:\n${wanted}`)
  }
  // A line that occurs in many places must not move the fault to a wrong one.
  const isOnly = places.length === 1 && removed.length > 0
  const isLike = 2 * best.alike >= trimLines([...before, ...after]).length
  if (best.score === second?.score || !(isOnly || isLike)) {
    const names = places.slice(0, 3).map(({ path, at }) => `${path}:${at + 1}`)
    throw new Error(`${places.length} places (${names.join(', ')}) have these lines:\n${wanted}`)
  }
  return best
}

/** The places that have the removed lines, those with the most similar context first. */
function rankPlaces(sought: Sought, sources: Sources): Place[] {
  const { path: oldPath, removed, before, after } = sought
  return [...sources]
    .flatMap(([path, source]) =>
      [...source.keys(), source.length].flatMap((at) => {
        const indent = fitsAt(sought, source, at)
        if (indent === undefined) return []
        const alike = countAlike(sought, source, at)
        const isBeside = [
          isSame(source[at - 1], before.at(-1)),
          isSame(source[at + removed.length], after[0]),
        ]
        const known = path === oldPath ? 2 : basename(path) === basename(oldPath) ? 1 : 0
        const score = 2 * alike + isBeside.filter(Boolean).length + known
        return [{ path, at, indent, alike, score }]
      }),
    )
    .toSorted((a, b) => b.score - a.score)
}

/** By how many spaces the lines at `at` are indented more than in the patch; undefined if they differ otherwise. */
function fitsAt({ removed, before, after }: Sought, source: string[], at: number) {
  const [first] = removed
  if (first === undefined) {
    // Only one of the adjacent lines has to be there; the context decides.
    return addedIndent(source[at - 1], before.at(-1)) ?? addedIndent(source[at], after[0])
  }
  const indent = addedIndent(source[at], first)
  if (indent === undefined) return undefined
  return removed.every((line, n) => source[at + n] === indentBy(line, indent)) ? indent : undefined
}

/** How many lines of the context are near the place. */
function countAlike({ removed, before, after }: Sought, source: string[], at: number) {
  const end = at + removed.length
  const above = trimLines(source.slice(Math.max(0, at - before.length - contextLines), at))
  const below = trimLines(source.slice(end, end + after.length + contextLines))
  return (
    trimLines(before).filter((line) => above.includes(line)).length +
    trimLines(after).filter((line) => below.includes(line)).length
  )
}

function addedIndent(line: string | undefined, old: string | undefined) {
  return isSame(line, old) ? indentOf(line ?? '') - indentOf(old ?? '') : undefined
}

const trimLines = (lines: string[]) =>
  lines.map((line) => line.trim()).filter((line) => line !== '')
const isSame = (a: string | undefined, b: string | undefined) =>
  a !== undefined && b !== undefined && a.trim() === b.trim()
const indentOf = (line: string) => line.length - line.trimStart().length

function indentBy(line: string, indent: number) {
  if (line === '') return line
  return indent < 0 ? line.slice(Math.min(-indent, indentOf(line))) : ' '.repeat(indent) + line
}

/** A unified diff that `git apply` accepts. */
export function formatPatch(head: string, changes: Change[], sources: Sources) {
  const files = [...Map.groupBy(changes, ({ path }) => path)].flatMap(([path, ofFile]) => [
    `--- a/${path}`,
    `+++ b/${path}`,
    ...formatHunks(ofFile, sources.get(path) ?? []),
  ])
  return `${head}\n\n${files.join('\n')}\n`
}

function formatHunks(changes: Change[], source: string[]) {
  const hunks: Change[][] = []
  for (const change of changes.toSorted((a, b) => a.at - b.at)) {
    const hunk = hunks.at(-1)
    const last = hunk?.at(-1)
    if (last && change.at - endOf(last) <= 2 * contextLines) hunk?.push(change)
    else hunks.push([change])
  }
  let grown = 0
  return hunks.flatMap((hunk) => {
    const from = Math.max(0, (hunk[0]?.at ?? 0) - contextLines)
    const to = Math.min(source.length, Math.max(...hunk.map(endOf)) + contextLines)
    const context = (begin: number, end: number) =>
      source.slice(begin, end).map((line) => line && ` ${line}`)
    const lines: string[] = []
    let at = from
    let more = 0
    for (const change of hunk) {
      lines.push(...context(at, change.at))
      lines.push(
        ...change.removed.map((line) => `-${line}`),
        ...change.added.map((line) => `+${line}`),
      )
      at = endOf(change)
      more += change.added.length - change.removed.length
    }
    const header = `@@ -${from + 1},${to - from} +${from + 1 + grown},${to - from + more} @@`
    grown += more
    return [header, ...lines, ...context(at, to)]
  })
}

const endOf = ({ at, removed }: Change) => at + removed.length
