// Unsaved text, kept for a reload of this tab. It is removed when the tab is closed or the user signs out.
import { isSharedComputer } from '../../data/persist.ts'

type Draft = { base: string; text: string }

const nameOf = (id: string) => `daywright.draft.${id}`

export function keepDraft(id: string, draft: Draft) {
  if (isSharedComputer()) return
  try {
    sessionStorage.setItem(nameOf(id), JSON.stringify(draft))
  } catch {
    // The storage is full: the text is still in the editor.
  }
}

export function draftOf(id: string): Draft | undefined {
  const kept = sessionStorage.getItem(nameOf(id))
  return kept === null ? undefined : (JSON.parse(kept) as Draft)
}

export const dropDraft = (id: string) => sessionStorage.removeItem(nameOf(id))
