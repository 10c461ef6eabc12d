import type { FullDocument } from '@daywright/contract'
import { useCallback, useEffect, useRef, useState } from 'react'
import { saveContent } from '../../data/actions/documents.ts'
import { api } from '../../data/api.ts'
import { isGone } from '../../data/is-gone.ts'
import { perform } from '../../data/run-mutation.ts'
import { dropDraft, keepDraft } from './drafts.ts'
import { useMergedText } from './use-merged-text.ts'

export type SaveState = 'saved' | 'dirty' | 'saving' | 'failed' | 'gone'

const restMs = 700
const againMs = 8000

/**
 * Saves the text shortly after the last key press. Before each save it reads the stored text, and
 * merges remote changes or asks the user.
 */
export function useAutosave(document: FullDocument) {
  const { id } = document
  const { text, sheet, theirs, base, current, isAsking, show, mergeIn, choose } =
    useMergedText(document)
  const [state, setState] = useState<SaveState>(text === document.content ? 'saved' : 'dirty')
  const savedAt = useRef(document.updatedAt)
  const isBusy = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  /** Merges the service's text; false if the user has to choose. */
  const takeIn = useCallback(
    (served: string) => {
      const isMerged = mergeIn(served)
      if (isMerged && current.current === served) {
        dropDraft(id)
        setState('saved')
      }
      return isMerged
    },
    [id, current, mergeIn],
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
      savedAt.current = await send(id, sent)
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
  }, [id, takeIn, base, current, isAsking])

  const write = useCallback(
    (next: string) => {
      if (next === current.current) return
      show(next)
      keepDraft(id, { base: base.current, text: next })
      setState('dirty')
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void save(), restMs)
    },
    [id, save, show, base, current],
  )

  // Live events bring remote changes. An answer from before our own last save is outdated.
  useEffect(() => {
    if (isBusy.current || document.updatedAt < savedAt.current) return
    if (document.content !== base.current) takeIn(document.content)
  }, [document.content, document.updatedAt, takeIn, base])

  useFlush(save)

  /** Resolves a conflict with the chosen text, based on the remote one. */
  const settle = (chosen: string) => {
    choose(chosen)
    setState(chosen === base.current ? 'saved' : 'dirty')
    void save()
  }

  return { text, sheet, state, theirs, write, save, settle }
}

/** Saves the text, and returns the time of the save. */
async function send(id: string, text: string) {
  const saved = await perform(saveContent(id, text), { isQuiet: true })
  if (!saved.ok) throw saved.error
  return saved.answer.updatedAt
}

/** Saves at once, for a restored draft, and when the page is hidden, left or online again, or the editor closes. */
function useFlush(save: () => Promise<void>) {
  useEffect(() => {
    const flush = () => void save()
    flush()
    window.addEventListener('online', flush)
    window.addEventListener('pagehide', flush)
    document.addEventListener('visibilitychange', flush)
    return () => {
      window.removeEventListener('online', flush)
      window.removeEventListener('pagehide', flush)
      document.removeEventListener('visibilitychange', flush)
      flush()
    }
  }, [save])
}
