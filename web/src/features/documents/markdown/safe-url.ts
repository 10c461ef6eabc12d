/** Returns the URL if it is a safe link target, and undefined otherwise. */
export function safeUrl(url: string) {
  // Browsers strip control characters and spaces before they parse the scheme.
  // oxlint-disable-next-line no-control-regex
  const plain = url.replace(/[\u0000-\u0020\u007f-\u00a0]/g, '')
  const [, scheme] = /^([a-z][a-z\d+.-]*):/i.exec(plain) ?? []
  if (scheme === undefined) return plain.startsWith('//') ? undefined : url
  return /^(https?|mailto|tel)$/i.test(scheme) ? url : undefined
}
