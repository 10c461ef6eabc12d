// Playwright's global setup: a current build of the web app, and a PostgreSQL with a template database.
import { startTestServer } from '../../server/test/test-server.ts'
import { buildIfOlder } from './built.ts'

const variable = 'DAYWRIGHT_TEST_SERVER'

export default async function setup() {
  buildIfOlder()
  const { server, template, stop } = await startTestServer()
  // Worker processes inherit this variable.
  process.env[variable] = JSON.stringify({ server, template })
  return stop
}

export const readTestServer = () =>
  JSON.parse(process.env[variable] ?? '') as { server: string; template: string }
