// Vitest's global setup.
import type { TestProject } from 'vitest/node'
import { startTestServer } from './test-server.ts'

export default async function setup(project: TestProject) {
  const { server, template, stop } = await startTestServer()
  project.provide('server', server)
  project.provide('template', template)
  return stop
}
