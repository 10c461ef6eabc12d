import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

/** The CPU time that all threads of a process have used so far. */
export function cpuSeconds(pid: number) {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const fields = rest.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** The resident memory of a process in MiB. */
export function memoryMib(pid: number) {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1024
}

/** The CPU time that the live threads of a process have used so far, from the kernel scheduler's counters. */
export function cpuNanoseconds(pid: number) {
  const threads = `/proc/${pid}/task`
  let sum = 0
  for (const thread of readdirSync(threads)) {
    const [used] = readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ')
    sum += Number(used)
  }
  return sum
}
