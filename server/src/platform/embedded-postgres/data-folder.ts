// The data folder and its permissions. PostgreSQL refuses to run as root, so root runs it as `nobody`.
import { existsSync, type Stats } from 'node:fs'
import * as fs from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type User = { uid: number; gid: number }

// Other services run as `nobody`, too. Only the bundled PostgreSQL has this group, and the data folder admits
// only root and this group. No distribution assigns this number; a separate user would need an entry in
// /etc/passwd, without which initdb does not run.
const unprivilegedUid = 65534
const ownGroup = 61_000

export function serverUser(): User {
  const uid = process.getuid?.() ?? -1
  return uid === 0
    ? { uid: unprivilegedUid, gid: ownGroup }
    : { uid, gid: process.getgid?.() ?? -1 }
}

export function defaultDataFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  uid = process.getuid?.(),
) {
  const home = env.HOME || homedir()
  if (platform === 'darwin') return join(home, 'Library/Application Support/Daywright')
  if (uid === 0 && !env.XDG_DATA_HOME) return '/var/lib/daywright'
  return join(env.XDG_DATA_HOME || join(home, '.local/share'), 'daywright')
}

/** Creates the folder. As root, makes sure that the server's user can pass through it and its parents. */
export async function openFolder(folder: string, user: User) {
  // A recursive mkdir applies the mode to every parent that it creates.
  const made = await fs.mkdir(folder, { recursive: true, mode: 0o700 })
  if (user.uid === process.getuid?.()) return
  const own = await fs.realpath(made ?? folder)
  const start = await fs.realpath(folder)
  for (let path = start; path !== dirname(path); path = dirname(path)) {
    if (canPass(await fs.stat(path), user)) continue
    if (path.length < own.length) {
      throw new Error(
        `PostgreSQL does not run as root, and the user that runs it (uid ${user.uid}) cannot enter ` +
          `${path}. Choose a data folder elsewhere, such as /var/lib/daywright, or chmod o+x ${path}`,
      )
    }
    await fs.chmod(path, 0o711)
  }
  await closeToOthers(start, user)
}

const ours = /^(database|socket|postgres\.log|postgres-.*|\.new-.*)$/

/** Closes the folder to other users, unless it has other content, which other programs may need to reach. */
async function closeToOthers(folder: string, { gid }: User) {
  if ((await fs.readdir(folder)).some((name) => !ours.test(name))) return
  await fs.chown(folder, 0, gid)
  await fs.chmod(folder, 0o710)
}

function canPass({ uid, gid, mode }: Stats, user: User) {
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  return (mode & bit) !== 0
}

/**
 * Creates a folder that only the server can enter; as root, owned by root with the server's group. Refuses a
 * folder that another user made.
 */
export async function privateFolder(path: string, user: User) {
  await fs.mkdir(path, { mode: 0o700 }).catch(unless('EEXIST'))
  const found = await fs.lstat(path)
  // A folder of root: another of our processes has just created it.
  const isOurs = found.uid === user.uid || found.uid === process.getuid?.()
  const isShared = found.uid === 0 && found.gid === user.gid && (found.mode & 0o777) === 0o770
  const isPrivate = isOurs && (found.mode & 0o777) === 0o700
  if (!found.isDirectory() || !(isPrivate || isShared)) {
    throw new Error(`${path} is not a private folder of Daywright: remove it, and start again`)
  }
  if (user.uid === process.getuid?.()) return
  await fs.chown(path, 0, user.gid)
  await fs.chmod(path, 0o770)
}

export async function requireOwner(path: string, user: User) {
  const found = await fs.stat(path).catch(unless('ENOENT'))
  if (!found || found.uid === user.uid) return
  throw new Error(
    `${path} belongs to another user (uid ${found.uid}): start as that user, or choose another ` +
      'data folder',
  )
}

/**
 * Builds a folder aside and renames it into place, if it does not exist yet. Despite concurrent builders and
 * crashes at any time, the folder is either absent or complete.
 */
export async function buildWhole(
  target: string,
  user: User,
  build: (temporary: string) => Promise<void>,
) {
  const parent = dirname(target)
  const prefix = `.new-${basename(target)}.${process.pid}.`
  await livingBuilders(target)
  if (existsSync(target)) return
  const temporary = await fs.mkdtemp(join(parent, prefix))
  try {
    await fs.chown(temporary, user.uid, user.gid)
    await awaitTurn(target, temporary)
    if (existsSync(target)) return
    await build(temporary)
    await fs.rename(temporary, target).catch(unless('ENOTEMPTY', 'EEXIST'))
    await sync(parent)
  } finally {
    await fs.rm(temporary, { recursive: true, force: true })
  }
}

/** Waits for earlier builders. Concurrent builders would be slow but correct, so the wait is bounded. */
async function awaitTurn(target: string, temporary: string) {
  const deadline = Date.now() + 10_000
  while (Date.now() < deadline && !existsSync(target)) {
    const [first] = await livingBuilders(target)
    if (first === basename(temporary)) return
    await sleep(50)
  }
}

/** The temporary folders of live builders; those of dead ones are removed. */
async function livingBuilders(target: string) {
  const prefix = `.new-${basename(target)}.`
  const living: string[] = []
  for (const name of await fs.readdir(dirname(target))) {
    if (!name.startsWith(prefix)) continue
    if (isAlive(Number.parseInt(name.slice(prefix.length), 10))) living.push(name)
    else await fs.rm(join(dirname(target), name), { recursive: true, force: true }).catch(() => {})
  }
  return living.toSorted()
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

// fsync the parent so that the rename survives a crash.
async function sync(folder: string) {
  await using handle = await fs.open(folder)
  await handle.sync()
}

export const unless =
  (...codes: string[]) =>
  (error: NodeJS.ErrnoException) => {
    if (!codes.includes(error.code ?? '')) throw error
  }
