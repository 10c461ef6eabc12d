import { lazy, Suspense, useDeferredValue } from 'react'
import type { View } from './view.ts'
import type { Sheet } from './use-merged-text.ts'

// Both are large, and needed only here.
const MarkdownEditor = lazy(() =>
  import('./markdown/editor.tsx').then(({ MarkdownEditor: it }) => ({ default: it })),
)
const Preview = lazy(() =>
  import('./markdown/preview.tsx').then(({ Preview: it }) => ({ default: it })),
)

type Props = {
  view: View
  text: string
  sheet: Sheet
  onChange: (text: string) => void
  onLeave: () => void
}

export function EditorAndPreview({ view, text, sheet, onChange, onLeave }: Props) {
  // Typing has priority over the preview.
  const shown = useDeferredValue(text)
  return (
    <div className="flex min-h-0 flex-1">
      {view !== 'preview' && (
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <Suspense>
            <MarkdownEditor sheet={sheet} onChange={onChange} onLeave={onLeave} />
          </Suspense>
        </div>
      )}
      {view !== 'edit' && (
        <section
          aria-label="Preview"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className={`min-w-0 flex-1 overflow-y-auto px-6 py-5 ${view === 'both' ? 'border-l' : ''}`}
        >
          <Suspense>
            {shown.trim() === '' ? (
              <p className="text-ink-3">Nothing to preview yet.</p>
            ) : (
              <Preview text={shown} />
            )}
          </Suspense>
        </section>
      )}
    </div>
  )
}
