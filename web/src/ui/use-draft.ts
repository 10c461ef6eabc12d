import { type KeyboardEvent, useEffect, useRef, useState } from 'react'

/**
 * What is being typed, until it is saved or given up. A change from elsewhere is shown at once where
 * nothing is being typed, and does not take away what is.
 */
export function useDraft(value: string, save: (value: string) => void) {
  const [draft, setDraft] = useState<string>()
  // A field that is left in the moment it is given up is told so before the next render.
  const typed = useRef<string>(undefined)

  function type(text: string | undefined) {
    typed.current = text
    setDraft(text)
  }
  function finish() {
    const text = typed.current
    type(undefined)
    if (text !== undefined && text !== value) save(text)
  }
  // A field that goes away is not told that it is left.
  const latest = useRef(finish)
  useEffect(() => {
    latest.current = finish
  })
  useEffect(() => () => latest.current(), [])

  /** For a field of one line: Enter saves, Escape gives up. */
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') type(undefined)
    else if (event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
    event.currentTarget.blur()
  }
  return { text: draft ?? value, isTyping: draft !== undefined, type, finish, onKeyDown }
}
