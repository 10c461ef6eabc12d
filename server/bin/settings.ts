import { readConfig } from '../src/config.ts'

/** The settings of this process. An invalid setting ends the process with a message instead of a stack. */
export function settings() {
  try {
    return readConfig(process.env)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(1)
  }
}
