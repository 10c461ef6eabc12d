import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Each takes more than ten seconds. They begin first, so that none of them runs alone at the end.
// Without an earlier run, as in CI, Vitest would order files by their size.
const longest = [
  'server/test/process.test.ts',
  'server/src/platform/embedded-postgres/embedded-postgres.test.ts',
  'scheduler/bench/gate.test.ts',
  'server/test/operating.test.ts',
  'scheduler/bench/what-if.test.ts',
  'scheduler/bench/calibration.test.ts',
  'ical/test/hostile.test.ts',
  'scheduler/test/properties.test.ts',
  'scheduler/bench/explanations.test.ts',
  'scheduler/test/capacity.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    // oxlint-disable-next-line unicorn/no-array-sort -- a sequencer, not an array
    const others = new Set(await super.sort(files))
    const first = longest.flatMap((path) =>
      files.filter(({ moduleId }) => moduleId.endsWith(`/${path}`)),
    )
    return [...new Set(first).union(others)]
  }
}

const settings = {
  // Many tests wait for a database or a process: one worker less than cores would leave cores idle.
  maxWorkers: '100%',
  // For a machine that is busy with other work as well.
  expect: { poll: { timeout: 20_000, interval: 50 } },
  testTimeout: 60_000,
  hookTimeout: 120_000,
}

// Their modules keep nothing that another test could see, so the files share a process: loading the
// service takes longer than most of them.
const shared = ['{contract,quick-add,client,server/src/features}/**/*.test.ts']
const browser = 'web/e2e/**/*.test.ts'

export default defineConfig({
  test: {
    globalSetup: ['server/test/template-database.ts', 'web/e2e/built.ts'],
    sequence: { sequencer: LongestFirst },
    maxWorkers: settings.maxWorkers,
    projects: [
      { test: { ...settings, name: 'shared', include: shared, isolate: false } },
      {
        test: {
          ...settings,
          name: 'isolated',
          include: ['*.test.ts', '{scheduler,ical,server,proof,web}/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...shared, browser],
        },
      },
      { test: { ...settings, name: 'browser', include: [browser] } },
    ],
  },
})
