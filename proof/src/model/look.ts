import { type Act, call, type Scene } from './call.ts'
import type { Answer } from './client.ts'
import { Divergence } from './compare.ts'

/** An extra read, with any credential that still works. */
export async function look(scene: Scene, operation: string, path: string): Promise<Answer> {
  const { me } = scene
  const isLive = [...me.rows.keys.values()].some(({ text }) => text === me.began.key)
  const act: Act = { ...scene.act, as: isLive ? 'key' : 'session', key: undefined }
  const answer = await call({ ...scene, act }, { operation, method: 'GET', path })
  if (answer?.status === 200) return answer
  throw new Divergence(`${operation}: ${path} is ${answer?.status ?? 'refused'}`)
}
