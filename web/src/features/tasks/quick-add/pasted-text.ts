import { linesOf } from '@daywright/quick-add'
import type { ClipboardEvent } from 'react'
import { toast } from '../../../data/toasts.ts'

/** The most characters that can be typed in a line. */
export const longestLine = 1000

/** Limited, because each line is a request. */
const mostLines = 200

/** Passes several pasted lines on, together with the text around them; one line is pasted as usual. */
export function onLinesPasted(
  event: ClipboardEvent<HTMLInputElement>,
  text: string,
  take: (lines: string[]) => void,
) {
  const pasted = event.clipboardData.getData('text/plain')
  if (linesOf(pasted).length < 2) return
  const { selectionStart, selectionEnd } = event.currentTarget
  const before = text.slice(0, selectionStart ?? text.length)
  event.preventDefault()
  const lines = linesOf(before + pasted + text.slice(selectionEnd ?? text.length))
  if (lines.length > mostLines) toast(`Paste at most ${mostLines} lines at once.`)
  else take(lines.map((line) => line.slice(0, longestLine)))
}
