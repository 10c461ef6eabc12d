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

/** The key labels of a shortcut such as `mod+k`, or of a sequence such as `g t`. */
export const keycaps = (keys: string) =>
  keys.split(/[ +]/).map((key) => caps[key] ?? key.toUpperCase())
