// The commands. A command is in the palette, its key works, and the `?` sheet lists it, as long as the
// component that registered it is mounted.
import { useEffect, useRef } from 'react'
import { createStore } from '../../data/create-store.ts'

export type Command = {
  id: string
  title: string
  /** The heading in the palette and the sheet. */
  group: string
  /** `mod+k`, `shift+?`, `g t` (a sequence), `alt+up`. */
  keys?: string
  /** Additional words by which the palette finds the command. */
  words?: string
  isDisabled?: boolean
  /** Left out of the palette, where the command makes no sense. */
  isKeyOnly?: boolean
  run: () => void
}

const sets = new Map<symbol, { current: Command[] }>()
const version = createStore(0)
const notify = () => version.set(version.get() + 1)

/** Registers commands while the component is mounted. They may use its state. */
export function useCommands(commands: Command[]) {
  const current = useRef(commands)
  useEffect(() => {
    current.current = commands
  })
  useEffect(() => {
    const name = Symbol('commands')
    sets.set(name, current)
    notify()
    return () => {
      sets.delete(name)
      notify()
    }
  }, [])
}

/** All commands, the last registered first, so that a screen may override a key of the shell. */
export const allCommands = () => [...sets.values()].toReversed().flatMap(({ current }) => current)

export function useAllCommands() {
  version.use()
  return allCommands()
}
