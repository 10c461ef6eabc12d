import { HighlightStyle } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Uses CSS variables, because the page's variables apply inside the shadow root and its classes do not. */
export const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
    fontSize: '13px',
    lineHeight: '1.65',
    overflow: 'auto',
  },
  '.cm-content': { padding: '20px 0 40vh', caretColor: 'var(--ink)', maxWidth: '72ch' },
  '.cm-line': { padding: '0 24px' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '1.5px' },
  '.cm-placeholder': { color: 'var(--ink-3)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { background: 'oklch(from var(--focus) l c h / 0.22)' },
})

export const highlight = HighlightStyle.define([
  { tag: tags.heading1, fontWeight: '650', fontSize: '1.25em' },
  { tag: tags.heading2, fontWeight: '650', fontSize: '1.12em' },
  { tag: tags.heading, fontWeight: '650' },
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through', color: 'var(--ink-3)' },
  { tag: tags.monospace, color: 'var(--ink-2)' },
  { tag: tags.quote, color: 'var(--ink-2)', fontStyle: 'italic' },
  { tag: [tags.link, tags.url], color: 'var(--ink-2)', textDecoration: 'underline' },
  { tag: [tags.processingInstruction, tags.meta, tags.contentSeparator], color: 'var(--ink-3)' },
])
