const browsers: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

const first = (names: [RegExp, string][], text: string) =>
  names.find(([pattern]) => pattern.test(text))?.[1]

/** A name such as `Firefox on Linux`; the rest of the user agent is ignored. */
export function browserOf(userAgent: unknown) {
  const text = typeof userAgent === 'string' ? userAgent : ''
  const browser = first(browsers, text)
  const system = first(systems, text)
  const name = [browser, system].filter(Boolean).join(' on ') || 'Unknown app'
  return { name, isPhone: /Android|iPhone/.test(text) }
}
