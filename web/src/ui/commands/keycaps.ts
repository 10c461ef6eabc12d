const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

const caps: Record<string, string> = {
  mod: isMac ? '⌘' : 'Ctrl',
  alt: isMac ? '⌥' : 'Alt',
  shift: '⇧',
  escape: 'Esc',
  enter: '↵',
  delete: 'Del',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  space: 'Space',
}

/** `mod+k` as key labels; `g t` is a sequence. */
export const keycaps = (keys: string) =>
  keys.split(/[ +]/).map((key) => caps[key] ?? key.toUpperCase())
