import { describe, expect, it } from 'vitest'
import { applyPatches, linesOf } from './patch.ts'
import { refreshPatch } from './refresh-patch.ts'

const lock = `export async function undo(db: Db, userId: string) {
  const run = await findRun(db)
  await lockUser(db, userId)
  return remove(run)
}
`
const patch = `an undo does not wait
control: undo

--- a/server/src/undo.ts
+++ b/server/src/undo.ts
@@ -1,5 +1,5 @@
 export async function undo(db: Db, userId: string) {
   const run = await findRun(db)
-  await lockUser(db, userId)
+  await null
   return remove(run)
 }
`
const insertion = patch.replace('-  await lock', '   await lock').replace('+1,5', '+1,6')

const refresh = (files: Record<string, string>, text = patch) =>
  refreshPatch(text, new Map(Object.entries(files).map(([path, file]) => [path, linesOf(file)])))

/** The sources after the refreshed patch is applied. */
function plant(files: Record<string, string>, text = patch) {
  const refreshed = refresh(files, text)
  expect(refreshed.misfit).toBeUndefined()
  return Object.fromEntries(applyPatches([refreshed.text ?? ''], (path) => files[path] ?? ''))
}

describe('a refreshed patch', () => {
  it('is unchanged if the sources have not changed', () => {
    expect(refresh({ 'server/src/undo.ts': lock })).toEqual({ text: patch, notes: [] })
  })

  it('has the current line numbers', () => {
    const { text } = refresh({ 'server/src/undo.ts': `// Undo.\n${lock}` })

    expect(text).toContain('@@ -1,6 +1,6 @@\n // Undo.\n export')
  })

  it('has the current context', () => {
    const source = lock.replace('findRun(db)', 'findRun(db, userId)')
    const { text, notes } = refresh({ 'server/src/undo.ts': source })

    expect(text).toContain('findRun(db, userId)')
    expect(notes).toEqual(['server/src/undo.ts:3 → server/src/undo.ts:3, 3 of 4 lines of context'])
  })

  it.each([
    ['removes lines', patch, lock.replace('lockUser(db, userId)', 'null')],
    [
      'only adds lines',
      insertion,
      lock.replace('userId)\n  return', 'userId)\n  await null\n  return'),
    ],
  ])('follows its file to another folder, if it %s', (_, text, planted) => {
    const path = 'server/src/features/undo/undo-run.ts'

    expect(plant({ [path]: lock, 'server/src/other.ts': 'await lockUser()\n' }, text)).toEqual({
      [path]: planted,
    })
  })

  it('follows the context if other places have the same line', () => {
    const other =
      'export async function apply(db: Db) {\n  await lockUser(db, userId)\n  work()\n}\n'
    const files = { 'server/src/apply.ts': other, 'server/src/features/runs.ts': `${other}${lock}` }

    expect(plant(files)).toEqual({
      'server/src/features/runs.ts': `${other}${lock.replace('lockUser(db, userId)', 'null')}`,
    })
  })

  it('moves out of a file that still has the line, but not the context', () => {
    const files = {
      'server/src/undo.ts': 'export async function redo() {\n  await lockUser(db, userId)\n}\n',
      'server/src/undo-run.ts': lock,
    }

    expect(Object.keys(plant(files))).toEqual(['server/src/undo-run.ts'])
  })

  it('follows each change, if its file was split', () => {
    const two = `${patch}@@ -20,3 +20,3 @@
 function list() {
-  return all
+  return []
 }
`
    const files = {
      'server/src/a.ts': lock,
      'server/src/b.ts': 'function list() {\n  return all\n}\n',
    }

    expect(Object.keys(plant(files, two))).toEqual(['server/src/a.ts', 'server/src/b.ts'])
  })

  it('is indented like its new place', () => {
    const indented = lock.replaceAll(/^(?=.)/gm, '  ')

    expect(plant({ 'server/src/undo.ts': indented })).toEqual({
      'server/src/undo.ts': indented.replace('lockUser(db, userId)', 'null'),
    })
  })

  it('has correct line counts in its headers after an edit by hand', () => {
    const byHand = patch.replace('+  await null', '+  await null\n+  await null')

    expect(refresh({ 'server/src/undo.ts': lock }, byHand).text).toContain('@@ -1,5 +1,6 @@')
  })
})

describe('a patch no longer fits', () => {
  it('if its line is gone; the place with the most similar context is reported', () => {
    const { misfit, text } = refresh({ 'server/src/undo.ts': lock.replace('lockUser', 'lock') })

    expect(text).toBeUndefined()
    expect(misfit).toMatch(
      'no source has these lines; the most similar context is at server/src/undo.ts:3',
    )
  })

  it('if two places are equally similar', () => {
    const { misfit } = refresh({ 'server/src/a.ts': lock, 'server/src/b.ts': lock })

    expect(misfit).toMatch('2 places (server/src/a.ts:3, server/src/b.ts:3)')
  })

  it('if several places have its line, but none has its context', () => {
    const other = 'export async function redo() {\n  await lockUser(db, userId)\n  work()\n}\n'
    const { misfit } = refresh({
      'server/src/a.ts': other,
      'server/src/b.ts': `\n${other}work()\n`,
    })

    expect(misfit).toMatch('2 places')
  })
})
