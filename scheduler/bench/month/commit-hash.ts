// The commit under test: people whose names contain its hash were not known when it was written.
import { execFileSync } from 'node:child_process'

export const commitHash = (): string => {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return 'no repository'
  }
}
