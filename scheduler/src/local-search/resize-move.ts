// A move that gives a session another length.
import { changeBetween, type SequenceMove, type SequenceState } from './sequence-state.ts'

export const resizeSession: SequenceMove = {
  name: 'give a session another length',
  propose: (state) => {
    const { decoder, resizable, random, sequence } = state
    if (resizable.length === 0) return undefined
    const resized = resizable[Math.floor(random() * resizable.length)]!
    const quotaBefore = decoder.quota[resized]!
    decoder.quota[resized] = randomQuota(state, decoder.taskOf[resized]!)
    const low = decoder.place[resized]!
    sequence[low] = resized
    return { ...changeBetween(low, low), resized, quotaBefore }
  },
  undo: ({ decoder }, { resized, quotaBefore }) => {
    decoder.quota[resized] = quotaBefore
  },
}

const randomQuota = ({ compiled, random }: SequenceState, j: number): number => {
  const min = compiled.min[j]!
  const most = Math.min(compiled.max[j]!, compiled.need[j]!)
  if (random() < 0.25 || most < min) return 0
  const step = random() < 0.7 ? 15 : 5
  return min + step * Math.floor(random() * (1 + (most - min) / step))
}
