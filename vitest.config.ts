import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['server/test/template-database.ts', 'web/e2e/built.ts'],
    include: ['*.test.ts', '{contract,scheduler,client,server,proof,web}/**/*.test.ts'],
    // Many tests wait for a database or a process: one worker less than cores would leave cores idle.
    maxWorkers: '100%',
    // For a machine that has other things to do as well.
    expect: { poll: { timeout: 20_000, interval: 50 } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
