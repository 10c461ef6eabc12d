import { defineConfig } from '@playwright/test'
import { launchOptions } from './e2e/browser.ts'

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results',
  reporter: [['list']],
  workers: 2,
  // A test that passes the second time is a defect of the test or of the product.
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  // For a machine that is busy with other work as well.
  expect: { timeout: 20_000 },
  use: {
    browserName: 'chromium',
    launchOptions: launchOptions(),
    // Recording a trace takes a seventh of the time: `npm run e2e -- --trace on` shows one.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
})
