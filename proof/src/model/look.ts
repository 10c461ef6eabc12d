import { type Act, call, expect, type Scene } from './call.ts'
import type { Answer } from './client.ts'
import { Divergence } from './compare.ts'
import type { Block } from './model.ts'
import { blockWithTask } from './show.ts'

/** An extra read, with any credential that still works. */
export async function look(scene: Scene, operation: string, path: string): Promise<Answer> {
  const { me } = scene
  const isLive = [...me.rows.keys.values()].some(({ text }) => text === me.began.key)
  const act: Act = { ...scene.act, as: isLive ? 'key' : 'session', key: undefined }
  const answer = await call({ ...scene, act }, { operation, method: 'GET', path })
  if (answer?.status === 200) return answer
  throw new Divergence(`${operation}: ${path} is ${answer?.status ?? 'refused'}`)
}

/** Compares the current block; times that the service chose are known from then on. */
export async function lookAtBlock(scene: Scene, block: Block) {
  const operation = 'findTimeBlock'
  const shown = await look(scene, operation, `/api/time-blocks/${block.id}?progress=true`)
  expect(shown, operation, 200, blockWithTask(scene.me, block, true))
}
