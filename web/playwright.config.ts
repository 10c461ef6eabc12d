import { defineConfig } from '@playwright/test'
import { launchOptions } from './e2e/browser.ts'

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results',
  reporter: [['list']],
  workers: 2,
  // No retries: a test that passes only on the second attempt reveals a defect of the test or of the product.
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  // Long enough for a machine that is also busy with other work.
  expect: { timeout: 20_000 },
  use: {
    browserName: 'chromium',
    launchOptions: launchOptions(),
    // Off, because recording takes a seventh of the run time. `npm run e2e -- --trace on` records a trace.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
})
