import { readFileSync } from 'node:fs'

const ticksPerSecond = 100

/** What a process of this machine has used so far, all its threads together. */
export function cpuSeconds(pid: number) {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const fields = rest.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** What it holds in memory, in MiB. */
export function memoryMib(pid: number) {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1024
}
