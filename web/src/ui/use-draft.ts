import { type KeyboardEvent, useEffect, useRef, useState } from 'react'

/**
 * The text being typed, until it is saved or discarded. A remote change shows at once while nothing is
 * being typed, and never overwrites typed text.
 */
export function useDraft(value: string, save: (value: string) => void) {
  const [draft, setDraft] = useState<string>()
  // Escape is followed by blur before the next render, so a ref is needed.
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
  // An unmounted field gets no blur event.
  const latest = useRef(finish)
  useEffect(() => {
    latest.current = finish
  })
  useEffect(() => () => latest.current(), [])

  /** For a single-line field: Enter saves, Escape discards. */
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
