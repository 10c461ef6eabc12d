import type { FullDocument } from '@daywright/contract'
import { useCallback, useEffect, useRef, useState } from 'react'
import { saveContent } from '../data/actions/documents.ts'
import { api } from '../data/api.ts'
import { isGone } from '../data/is-gone.ts'
import { perform } from '../data/perform.ts'
import { draftOf, dropDraft, keepDraft } from './drafts.ts'
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

export type SaveState = 'saved' | 'dirty' | 'saving' | 'failed' | 'gone'

const restMs = 700
const againMs = 8000

/**
 * Saves the text shortly after the last key press. Before each save the current text is read: remote
 * changes are merged, or the user is asked.
 */
export function useAutosave(document: FullDocument) {
  const { id } = document
  const [text, setText] = useState(() => openingText(document))
  const [state, setState] = useState<SaveState>(text === document.content ? 'saved' : 'dirty')
  /** A remote change in the same place, which needs a decision. */
  const [theirs, setTheirs] = useState<string>()
  const base = useRef(draftOf(id)?.base ?? document.content)
  const current = useRef(text)
  const savedAt = useRef(document.updatedAt)
  const isBusy = useRef(false)
  const isAsking = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
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

  /** Merges the service's text; false if the user has to choose. */
  const takeIn = useCallback(
    (served: string) => {
      const merged = merge(base.current, current.current, served)
      if (merged === undefined) {
        isAsking.current = true
        setTheirs(served)
        return false
      }
      base.current = served
      if (merged !== current.current) replace(merged)
      if (merged === served) {
        dropDraft(id)
        setState('saved')
      }
      return true
    },
    [id, replace],
  )

  const save = useCallback(async () => {
    clearTimeout(timer.current)
    if (isBusy.current || isAsking.current || current.current === base.current) return
    if (!navigator.onLine) return setState('failed')
    isBusy.current = true
    setState('saving')
    let waitMs = restMs
    try {
      const { content } = await api.documents.get(id)
      if (!takeIn(content)) return setState('dirty')
      const sent = current.current
      if (sent === base.current) return
      const saved = await perform(saveContent(id, sent), { isQuiet: true })
      if (!saved.ok) throw saved.error
      savedAt.current = saved.answer.updatedAt
      base.current = sent
      if (current.current === sent) dropDraft(id)
      setState(current.current === sent ? 'saved' : 'dirty')
    } catch (error) {
      setState(isGone(error) ? 'gone' : 'failed')
      waitMs = isGone(error) ? Infinity : againMs
    } finally {
      isBusy.current = false
      const isDue = current.current !== base.current && !isAsking.current && waitMs < Infinity
      if (isDue) timer.current = setTimeout(() => void save(), waitMs)
    }
  }, [id, takeIn])

  const write = useCallback(
    (next: string) => {
      if (next === current.current) return
      show(next)
      keepDraft(id, { base: base.current, text: next })
      setState('dirty')
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void save(), restMs)
    },
    [id, save, show],
  )

  // Live events bring remote changes. An answer from before our own last save is outdated.
  useEffect(() => {
    if (isBusy.current || document.updatedAt < savedAt.current) return
    if (document.content !== base.current) takeIn(document.content)
  }, [document.content, document.updatedAt, takeIn])

  useEffect(() => {
    if (current.current !== base.current) void save()
    const flush = () => void save()
    window.addEventListener('online', flush)
    window.addEventListener('pagehide', flush)
    globalThis.document.addEventListener('visibilitychange', flush)
    return () => {
      window.removeEventListener('online', flush)
      window.removeEventListener('pagehide', flush)
      globalThis.document.removeEventListener('visibilitychange', flush)
      flush()
    }
  }, [save])

  /** Resolves a conflict with the chosen text, based on the remote one. */
  const settle = (chosen: string) => {
    base.current = theirs ?? base.current
    isAsking.current = false
    setTheirs(undefined)
    replace(chosen)
    setState(chosen === base.current ? 'saved' : 'dirty')
    void save()
  }

  return { text, sheet, state, theirs, write, save, settle }
}

/** The unsaved draft of this tab, if there is one. */
function openingText({ id, content }: FullDocument) {
  const draft = draftOf(id)
  return draft ? draft.text : content
}
