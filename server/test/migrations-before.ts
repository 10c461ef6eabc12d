import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'

const all = fileURLToPath(new URL('../migrations/', import.meta.url))

/** A folder of the migrations with smaller numbers, to create the database of an older version. */
export async function migrationsBefore(number: string) {
  const folder = await mkdtemp(join(tmpdir(), 'daywright-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const name of await readdir(all)) {
    if (name < number) await cp(join(all, name), join(folder, name))
  }
  return pathToFileURL(`${folder}/`)
}
