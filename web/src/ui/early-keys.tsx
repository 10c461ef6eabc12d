import { useLayoutEffect, useState } from 'react'

/** Collects the text that is typed while a dialog is still loading. */
export function EarlyKeys({ onType }: { onType: (text: string) => void }) {
  const [before] = useState(() => document.activeElement)
  // Restore the focus before the dialog opens: on closing, the dialog returns it to the element that had it.
  useLayoutEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus()
    },
    [before],
  )
  return <input autoFocus aria-label="Text" onChange={({ target }) => onType(target.value)} />
}
