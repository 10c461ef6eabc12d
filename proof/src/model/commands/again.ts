import { call } from '../call.ts'
import { event } from '../command.ts'
import { Divergence } from '../compare.ts'

/** A client that missed the answer repeats the same request. */
export const again = event('(the same again)', async (scene) => {
  const { me, act } = scene
  const { repeatable } = me
  const last = repeatable[act.place % Math.max(1, repeatable.length)]
  if (!last) return
  const answer = await call(
    { ...scene, act: { ...act, as: 'session', key: last.key } },
    last.request,
  )
  if (answer) throw new Divergence(`${last.request.operation}: done again for the same key`)
})
