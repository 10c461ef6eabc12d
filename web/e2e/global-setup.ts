// Playwright's global setup: the web app as it is now, and a PostgreSQL with a template database for the run.
import { startTestServer } from '../../server/test/test-server.ts'
import { buildIfOlder } from './built.ts'

const variable = 'DAYWRIGHT_TEST_SERVER'

export default async function setup() {
  buildIfOlder()
  const { server, template, stop } = await startTestServer()
  // Worker processes inherit it.
  process.env[variable] = JSON.stringify({ server, template })
  return stop
}

export const readTestServer = () =>
  JSON.parse(process.env[variable] ?? '') as { server: string; template: string }
