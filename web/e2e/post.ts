import type { BrowserContext } from 'playwright-core'

/** Posts as the person of this window. Throws where the service refuses, with what it answered. */
export async function post(context: BrowserContext, origin: string, path: string, data: object) {
  const answer = await context.request.post(origin + path, { headers: { origin }, data })
  const body = await answer.text()
  if (!answer.ok()) throw new Error(`POST ${path} answered ${answer.status()}: ${body}`)
  return JSON.parse(body) as unknown
}
