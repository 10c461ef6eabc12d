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

/** `mod+k` as what is written on the keys; `g t` is one key after the other. */
export const keycaps = (keys: string) =>
  keys.split(/[ +]/).map((key) => caps[key] ?? key.toUpperCase())
