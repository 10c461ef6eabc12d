// The CodeMirror editor, which keeps Markdown exactly as typed. In a shadow root it uses adopted style sheets,
// which the content security policy allows, instead of style elements, which the policy forbids.
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { insertNewlineContinueMarkup, markdownLanguage } from '@codemirror/lang-markdown'
import { LanguageSupport, syntaxHighlighting } from '@codemirror/language'
import { EditorState, Text } from '@codemirror/state'
import { drawSelection, EditorView, keymap, placeholder } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import type { Sheet } from '../use-merged-text.ts'
import { highlight, theme } from './editor-theme.ts'
import { marks } from './marks.ts'

type Props = { sheet: Sheet; onChange: (text: string) => void; onLeave: () => void }

export function MarkdownEditor({ sheet, onChange, onLeave }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const heard = useRef({ onChange, onLeave })
  useEffect(() => {
    heard.current = { onChange, onLeave }
  })

  useEffect(() => {
    const element = host.current
    if (!element) return
    const text = sheet.read()
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const view = new EditorView({
      root,
      parent: root as unknown as Element,
      state: EditorState.create({
        doc: text,
        extensions: [
          history(),
          separatorOf(text),
          drawSelection(),
          EditorView.lineWrapping,
          new LanguageSupport(markdownLanguage),
          syntaxHighlighting(highlight),
          theme,
          placeholder('Write in Markdown. It stays exactly as you type it.'),
          keymap.of([
            ...marks,
            { key: 'Enter', run: insertNewlineContinueMarkup },
            // Escape and then Tab leave the editor by keyboard.
            { key: 'Escape', run: leave },
            ...defaultKeymap,
            ...historyKeymap,
            indentWithTab,
          ]),
          EditorView.contentAttributes.of({
            'aria-label': 'Text of the document, in Markdown',
            // Editable content is focusable anyway, but not every accessibility checker knows.
            tabindex: '0',
            spellcheck: 'true',
            autocorrect: 'on',
            autocapitalize: 'sentences',
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) heard.current.onChange(update.state.sliceDoc())
          }),
          EditorView.domEventHandlers({ blur: () => heard.current.onLeave() }),
        ],
      }),
    })
    const stop = sheet.onReplaced((next) => takeIn(view, next))
    return () => {
      stop()
      view.destroy()
    }
  }, [sheet])

  // Keys typed here do not run commands of the app, except Ctrl or Cmd shortcuts other than undo and redo.
  return (
    <div
      ref={host}
      data-testid="editor"
      className="min-h-0 flex-1"
      onKeyDown={(event) => {
        if (!event.ctrlKey && !event.metaKey) event.stopPropagation()
        if ((event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key)) event.stopPropagation()
      }}
    />
  )
}

function leave(view: EditorView) {
  view.contentDOM.blur()
  return true
}

/** Keeps Windows line endings if the whole text uses them. */
const separatorOf = (text: string) =>
  /\r\n/.test(text) && !/(^|[^\r])\n/.test(text) ? EditorState.lineSeparator.of('\r\n') : []

/** Replaces only the difference, so that the cursor and the scroll position stay. */
function takeIn(view: EditorView, text: string) {
  const now = view.state.doc.toString()
  const next = text.replaceAll('\r\n', '\n')
  let from = 0
  while (from < now.length && from < next.length && now[from] === next[from]) from += 1
  let tail = 0
  const most = Math.min(now.length, next.length) - from
  while (tail < most && now.at(-1 - tail) === next.at(-1 - tail)) tail += 1
  const insert = Text.of(next.slice(from, next.length - tail).split('\n'))
  view.dispatch({ changes: { from, to: now.length - tail, insert } })
}
