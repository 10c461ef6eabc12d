// A file of 1 MB costs at most 2 s of CPU and 256 MB, whatever is in it. Seconds depend on the machine, so the CPU
// is compared with that of an ordinary file, which takes 0.3 s on an idle machine.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { hostileFiles } from './hostile-files.ts'

type Cost = { name: string; size: number; seconds: number; megabytes: number }

// The heap is small, so that garbage from earlier files does not count as memory that a file needs.
const heap = ['--max-old-space-size=96', '--max-semi-space-size=8']

const mostTimes = 7

describe('a hostile file', () => {
  let costs: Cost[] = []
  const costOf = (name: string) => costs.find((each) => each.name === name)!

  beforeAll(async () => {
    const script = fileURLToPath(new URL('measure.ts', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [...heap, script])
    costs = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Cost)
  })

  it.each(Object.keys(hostileFiles))('is read within the limits: %s', (name) => {
    const cost = costOf(name)
    const ordinary = costOf('ordinary')
    expect(cost.size).toBeGreaterThan(890_000)
    expect(cost.seconds).toBeLessThan(mostTimes * ordinary.seconds)
    expect(cost.megabytes).toBeLessThan(256)
  })
})
