import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Test files that take more than ten seconds. They start first, so that no such file runs alone at the end.
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

// The modules of these tests keep no state that another test could see, so the files share a process: loading the
// service takes longer than most of the tests.
const shared = [
  '{contract,quick-add,client,scheduler,ical,caldav,recurrence,server}/**/*.test.ts',
  'proof/src/kit/*.test.ts',
  'web/src/{app,features}/**/*.test.ts',
]
// These tests read or add to the list of all statements, change the environment, the clock or (by loading
// plan-worker.ts) the priority of the process, or start their own PostgreSQL and load little else.
const isolated = [
  'server/src/features/planner/{missed-blocks,run-planner}.test.ts',
  'server/src/jobs/run-user-jobs.test.ts',
  'server/src/platform/db/{costs,dump-statements,plans,share-connections,sql,statement}.test.ts',
  'server/src/platform/embedded-postgres/*.test.ts',
  'server/test/deployment.test.ts',
]
const modules = '**/node_modules/**'
const browser = 'web/e2e/**/*.test.ts'

export default defineConfig({
  test: {
    globalSetup: ['server/test/template-database.ts'],
    sequence: { sequencer: LongestFirst },
    maxWorkers: settings.maxWorkers,
    projects: [
      {
        test: {
          ...settings,
          name: 'shared',
          include: shared,
          exclude: [modules, ...isolated],
          isolate: false,
        },
      },
      {
        test: {
          ...settings,
          name: 'isolated',
          include: [...isolated, '*.test.ts', '{proof,web}/**/*.test.ts'],
          exclude: [modules, 'proof/src/kit/**', 'web/src/{app,features}/**', browser],
        },
      },
    ],
  },
})
