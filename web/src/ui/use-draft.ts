import { useState } from 'react'

/**
 * What is being typed, until it is saved or given up. A change from elsewhere is shown at once where
 * nothing is being typed, and does not take away what is.
 */
export function useDraft(value: string, save: (value: string) => void) {
  const [draft, setDraft] = useState<string>()
  return {
    text: draft ?? value,
    isTyping: draft !== undefined,
    type: setDraft,
    finish: () => {
      if (draft !== undefined && draft !== value) save(draft)
      setDraft(undefined)
    },
    giveUp: () => setDraft(undefined),
  }
}
