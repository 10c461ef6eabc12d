const longest = 160

/** The first words of a document for the list, without Markdown syntax and its title. */
export function excerptOf(title: string, content: string) {
  const lines = content
    .slice(0, 400)
    .split('\n')
    .map(withoutMarks)
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
  const [first, ...rest] = lines
  const isTitle = first?.toLowerCase() === title.trim().toLowerCase()
  return (isTitle ? rest : lines).join(' · ').slice(0, longest) || 'Empty'
}

const withoutMarks = (line: string) =>
  line
    .replace(/^\s*(?:#{1,6}\s+|>\s*|(?:[-+*]|\d+[.)])\s+(?:\[[ xX]\]\s+)?)/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`]|~~|(?<!\w)_+|_+(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
