// The processor time of the threads of a process: unlike a measured wait, it does not depend on what else runs.
import { readdir, readFile } from 'node:fs/promises'

/** Starts counting; the returned function gives the processor time since then, of the main thread and of all. */
export async function countThreadCpu(pid: number) {
  const before = await readThreadCpu(pid)
  return async () => {
    const after = await readThreadCpu(pid)
    return { mainMs: after.mainMs - before.mainMs, allMs: after.allMs - before.allMs }
  }
}

/** A thread that ends while it is read counts as 0. */
async function readThreadCpu(pid: number) {
  const folder = `/proc/${pid}/task`
  const threads = await readdir(folder)
  const times = await Promise.all(
    threads.map(async (thread) => {
      const text = await readFile(`${folder}/${thread}/schedstat`, 'utf8').catch(() => '0')
      return { thread, ms: Number(text.split(' ')[0]) / 1e6 }
    }),
  )
  return {
    mainMs: times.find(({ thread }) => thread === String(pid))?.ms ?? 0,
    allMs: times.reduce((sum, { ms }) => sum + ms, 0),
  }
}
