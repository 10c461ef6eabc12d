import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: 'server/test/template-database.ts',
    include: ['*.test.ts', '{contract,scheduler,client,server}/**/*.test.ts'],
    // For a machine that has other things to do as well.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
