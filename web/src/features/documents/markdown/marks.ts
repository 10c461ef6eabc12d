// Shortcuts that toggle Markdown marks around the selection: bold, italic, code and strikethrough.
import { EditorSelection } from '@codemirror/state'
import type { EditorView, KeyBinding } from '@codemirror/view'

const around = (mark: string) => (view: EditorView) => {
  const { state } = view
  view.dispatch(
    state.changeByRange(({ from, to }) => {
      const before = state.sliceDoc(from - mark.length, from)
      const after = state.sliceDoc(to, to + mark.length)
      const isThere = before === mark && after === mark
      return isThere
        ? {
            changes: [
              { from: from - mark.length, to: from },
              { from: to, to: to + mark.length },
            ],
            range: EditorSelection.range(from - mark.length, to - mark.length),
          }
        : {
            changes: [
              { from, insert: mark },
              { from: to, insert: mark },
            ],
            range: EditorSelection.range(from + mark.length, to + mark.length),
          }
    }),
  )
  return true
}

export const marks: KeyBinding[] = [
  { key: 'Mod-b', run: around('**') },
  { key: 'Mod-i', run: around('_') },
  { key: 'Mod-e', run: around('`') },
  { key: 'Mod-Shift-x', run: around('~~') },
]
