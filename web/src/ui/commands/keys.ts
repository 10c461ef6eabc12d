// Maps key presses to commands. Single keys do nothing while typing or while a dialog is open.
import { device } from '../device.ts'
import { allCommands } from './registry.ts'

const names: Record<string, string> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ' ': 'space',
}
// Punctuation may or may not need Shift depending on layout.
const isSign = (key: string) => key.length === 1 && !/[a-z0-9]/i.test(key)

/** The name of a key press in the notation of commands, such as `mod+shift+z`. */
export function nameOf(event: KeyboardEvent) {
  const key = names[event.key] ?? event.key.toLowerCase()
  return [
    (event.ctrlKey || event.metaKey) && 'mod',
    event.altKey && 'alt',
    event.shiftKey && !isSign(event.key) && 'shift',
    key,
  ]
    .filter(Boolean)
    .join('+')
}

const sequenceMs = 1000
/** Text fields handle these keys themselves. */
const isEditing = /^mod\+(shift\+)?[azy]$/

/** Call once, at start. */
export function listenForKeys() {
  let first = ''
  let timer: ReturnType<typeof setTimeout> | undefined

  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return
    const name = nameOf(event)
    const isPlain = !name.startsWith('mod+') && name !== 'escape'
    if (isPlain && !device().singleKeys) return
    if (isTyping(event.target) && (isPlain || isEditing.test(name))) return
    if (document.querySelector('[role=dialog]') && name !== 'mod+k') return
    const usable = allCommands().filter(({ keys, isDisabled }) => keys && !isDisabled)
    const wanted = first ? `${first} ${name}` : name
    clearTimeout(timer)
    first = ''
    const found =
      usable.find(({ keys }) => keys === wanted) ?? usable.find(({ keys }) => keys === name)
    if (found) {
      event.preventDefault()
      found.run()
    } else if (usable.some(({ keys }) => keys?.startsWith(`${name} `))) {
      first = name
      timer = setTimeout(() => (first = ''), sequenceMs)
    }
  })
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('input:not([type=checkbox],[type=radio],[type=button]), textarea, select'))
