// Tooltips on hover and focus for any element with `data-tip`. One layer for the whole page.
import { keycaps } from './commands/keycaps.ts'

/** Props for an element: the text of its tooltip, and its shortcut. */
export function tip(text: string, keys?: string) {
  return {
    ...(text !== '' && { 'data-tip': text }),
    ...(keys !== undefined && { 'data-keys': keys, 'aria-keyshortcuts': ariaKeys(keys) }),
  }
}

const ariaKeys = (keys: string) =>
  keys.replace('mod', 'Control').replace('alt', 'Alt').replace('shift', 'Shift')

const delayMs = 450

/** Call once, at start. */
export function showTips() {
  const layer = document.createElement('div')
  layer.className = 'tip'
  layer.hidden = true
  // Hidden from assistive technology, because the element's own label has the same text.
  layer.setAttribute('aria-hidden', 'true')
  document.body.append(layer)
  let timer = 0
  let shownFor: Element | undefined
  let isTabbing = false

  function hide() {
    window.clearTimeout(timer)
    layer.hidden = true
    shownFor = undefined
  }
  function consider(event: Event) {
    const target = event.target instanceof Element ? event.target.closest('[data-tip]') : null
    if (target === shownFor) return
    hide()
    if (!target) return
    shownFor = target
    const delay = event.type === 'focusin' ? 0 : delayMs
    // Focus moved by a dialog must not open a tooltip.
    if (event.type === 'focusin' && !isTabbing) return
    timer = window.setTimeout(() => show(target), delay)
  }
  function show(target: Element) {
    if (!target.isConnected || document.body.dataset.dragging !== undefined) return
    const text = target.getAttribute('data-tip') ?? ''
    const keys = target.getAttribute('data-keys')
    layer.replaceChildren(text)
    for (const cap of keys === null ? [] : keycaps(keys)) {
      const kbd = document.createElement('kbd')
      kbd.className = 'kbd'
      kbd.textContent = cap
      layer.append(kbd)
    }
    layer.hidden = false
    const box = target.getBoundingClientRect()
    const { width, height } = layer.getBoundingClientRect()
    const left = Math.max(6, Math.min(innerWidth - width - 6, box.x + box.width / 2 - width / 2))
    const below = box.bottom + 6
    const top = below + height > innerHeight - 6 ? box.top - height - 6 : below
    layer.style.translate = `${Math.round(left)}px ${Math.round(top)}px`
  }

  document.addEventListener('pointerover', consider)
  document.addEventListener('focusin', consider)
  document.addEventListener('keydown', ({ key }) => (isTabbing = key === 'Tab'), true)
  document.addEventListener('pointerdown', () => (isTabbing = false), true)
  for (const kind of ['pointerdown', 'keydown', 'focusout', 'wheel']) {
    document.addEventListener(kind, hide, { passive: true })
  }
}
