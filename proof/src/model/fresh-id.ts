import type { Answer } from './client.ts'
import type { Scene } from './call.ts'
import { Divergence } from './compare.ts'

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The id of a new record, which must be valid and not in use. */
export function freshId(scene: Scene, { body, status }: Answer) {
  if (status >= 300) return ''
  return isFresh(scene, body?.id)
}

export function isFresh({ world }: Scene, id: unknown): string {
  const isKnown = world.people.some(
    (person) => person.id === id || Object.values(person.rows).some((rows) => rows.has(String(id))),
  )
  if (typeof id === 'string' && form.test(id) && !isKnown) return id
  throw new Divergence(`a new id should be new, and is ${JSON.stringify(id)}`)
}
