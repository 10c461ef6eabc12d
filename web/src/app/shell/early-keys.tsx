import { useLayoutEffect, useState } from 'react'

/** Takes what is typed while a dialog is still being loaded. */
export function EarlyKeys({ onType }: { onType: (text: string) => void }) {
  const [before] = useState(() => document.activeElement)
  // The dialog returns the focus, when it is closed, to what had it before.
  useLayoutEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus()
    },
    [before],
  )
  return <input autoFocus aria-label="Text" onChange={({ target }) => onType(target.value)} />
}
