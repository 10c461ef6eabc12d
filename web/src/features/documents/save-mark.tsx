import type { SaveState } from './use-autosave.ts'

const words: Record<SaveState, string> = {
  saved: 'Saved',
  dirty: 'Editing',
  saving: 'Saving',
  failed: 'Not saved yet',
  gone: 'Deleted elsewhere',
}

/** Whether the text is saved. Unsaved text is kept in this tab. */
export function SaveMark({ state, onRetry }: { state: SaveState; onRetry: () => void }) {
  const isBad = state === 'failed' || state === 'gone'
  return (
    <span className="flex flex-none items-center gap-1.5 text-xs">
      <span role="status" className={isBad ? 'text-signal-ink' : 'text-ink-3'}>
        {words[state]}
      </span>
      {state === 'failed' && (
        <button type="button" className="h-6 px-1 font-medium underline" onClick={onRetry}>
          Try again
        </button>
      )}
    </span>
  )
}
