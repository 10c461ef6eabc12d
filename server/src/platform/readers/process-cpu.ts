import { readFileSync } from 'node:fs'

/** The kernel counts the time of a process in these units. */
const ticksPerSecond = 100

/** The processor time that a process has used, in milliseconds; undefined where the system does not say. */
export function readProcessCpu(pid: number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program, in brackets, may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
  } catch {
    return undefined
  }
}
