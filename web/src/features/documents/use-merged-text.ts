// The text of a document in the editor, and the stored text that it is based on.
import type { FullDocument } from '@daywright/contract'
import { useCallback, useRef, useState } from 'react'
import { draftOf } from './drafts.ts'
import { merge } from './merge.ts'

/**
 * The text buffer between autosave and the editor. Remote changes go directly into the editor: through a
 * render they would arrive after the next key press and overwrite it.
 */
export type Sheet = {
  read: () => string
  /** One editor subscribes at a time. */
  onReplaced: (listener: (text: string) => void) => () => void
}

export function useMergedText(document: FullDocument) {
  const draft = draftOf(document.id)
  const { text, sheet, current, show, replace } = useTextBuffer(draft?.text ?? document.content)
  const base = useRef(draft?.base ?? document.content)
  /** The remote text, if it changed in the same place and the user has to decide. */
  const [theirs, setTheirs] = useState<string>()
  const isAsking = useRef(false)

  /** Merges the service's text; false if both changed the same place. */
  const mergeIn = useCallback(
    (served: string) => {
      const merged = merge(base.current, current.current, served)
      if (merged === undefined) {
        isAsking.current = true
        setTheirs(served)
        return false
      }
      base.current = served
      if (merged !== current.current) replace(merged)
      return true
    },
    [current, replace],
  )

  /** Replaces the text with the chosen one, which is then based on the remote text. */
  const choose = (chosen: string) => {
    base.current = theirs ?? base.current
    isAsking.current = false
    setTheirs(undefined)
    replace(chosen)
  }

  return { text, sheet, theirs, base, current, isAsking, show, mergeIn, choose }
}

function useTextBuffer(opening: string) {
  const [text, setText] = useState(opening)
  const current = useRef(text)
  const editor = useRef<(text: string) => void>(undefined)
  const [sheet] = useState<Sheet>(() => ({
    read: () => current.current,
    onReplaced(listener) {
      editor.current = listener
      return () => (editor.current = undefined)
    },
  }))
  const show = useCallback((next: string) => {
    current.current = next
    setText(next)
  }, [])
  const replace = useCallback(
    (next: string) => {
      show(next)
      editor.current?.(next)
    },
    [show],
  )
  return { text, sheet, current, show, replace }
}
