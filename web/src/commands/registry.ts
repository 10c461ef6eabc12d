// What can be done from here. A command is in the palette, its key works, and the `?` sheet lists it,
// as long as the component that registered it is on the page.
import { useEffect, useRef, useSyncExternalStore } from 'react'

export type Command = {
  id: string
  title: string
  /** The heading in the palette and the sheet. */
  group: string
  /** `mod+k`, `shift+?`, `g t` (one after the other), `alt+up`. */
  keys?: string
  /** More words to find it by. */
  words?: string
  isDisabled?: boolean
  /** In the sheet and by key only: it would make no sense in the palette. */
  isKeyOnly?: boolean
  run: () => void
}

const sets = new Map<symbol, { current: Command[] }>()
let version = 0
const listeners = new Set<() => void>()

function changed() {
  version += 1
  for (const listener of listeners) listener()
}

/** Registers these while the component is shown. They may close over its state. */
export function useCommands(commands: Command[]) {
  const current = useRef(commands)
  useEffect(() => {
    current.current = commands
  })
  useEffect(() => {
    const name = Symbol('commands')
    sets.set(name, current)
    changed()
    return () => {
      sets.delete(name)
      changed()
    }
  }, [])
}

/** The last to be registered comes first: a screen may take a key from the shell. */
export const allCommands = () => [...sets.values()].toReversed().flatMap(({ current }) => current)

export function useAllCommands() {
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => version,
  )
  return allCommands()
}
