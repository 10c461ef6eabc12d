// initdb starts `postgres` with a shell command, in which its own path is quoted but not escaped.
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openFolder, type User } from './data-folder.ts'

const special = /["$`\\]/

/**
 * Calls `use` with the folder of initdb and postgres. If its path contains characters that have a meaning between
 * double quotes, it is a temporary copy elsewhere: a symbolic link would not do, as initdb resolves its own path.
 */
export async function withPlainPath(
  bin: string,
  user: User,
  use: (bin: string) => Promise<unknown>,
) {
  if (!special.test(bin)) return use(bin)
  const parent = await fs.realpath(tmpdir())
  if (special.test(parent)) {
    throw new Error(
      `PostgreSQL cannot create a database from ${bin}: the path contains one of " $ \` \\, and so does ` +
        'that of the folder for temporary files. Set TMPDIR to another folder, or move the project',
    )
  }
  const folder = await fs.mkdtemp(join(parent, 'daywright-initdb-'))
  try {
    await openFolder(folder, user)
    for (const name of ['lib', 'share']) {
      await fs.symlink(join(dirname(bin), name), join(folder, name))
    }
    const copy = join(folder, 'bin')
    await fs.mkdir(copy)
    for (const name of ['initdb', 'postgres']) {
      await fs.copyFile(join(bin, name), join(copy, name))
      await fs.chown(join(copy, name), user.uid, user.gid)
    }
    await fs.chown(copy, user.uid, user.gid)
    await use(copy)
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
}
