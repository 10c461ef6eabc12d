import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: 'server/test/template-database.ts',
    include: ['*.test.ts', '{contract,scheduler,client,server}/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
