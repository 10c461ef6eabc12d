import type { BrowserContext } from '@playwright/test'

/** Posts with the session of this window. Throws with the answer if the service refuses. */
export async function post(context: BrowserContext, origin: string, path: string, data: object) {
  const answer = await context.request.post(origin + path, { headers: { origin }, data })
  const body = await answer.text()
  if (!answer.ok()) throw new Error(`POST ${path} answered ${answer.status()}: ${body}`)
  return JSON.parse(body) as unknown
}
