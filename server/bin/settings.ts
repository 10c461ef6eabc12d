import { readConfig } from '../src/config.ts'

/** The settings of this process; an invalid one ends it with a message instead of a stack. */
export function settings() {
  try {
    return readConfig(process.env)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(1)
  }
}
