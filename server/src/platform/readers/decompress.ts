import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** A calendar compresses to about a tenth; one that expands far more is made to fill our memory. */
const mostExpansion = 100
const alwaysAllowed = 1_000_000

const decompressors = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['br', brotliDecompressSync],
  ['deflate', inflateSync],
])

/** The bytes of a body; a refusal if they are more than `mostBytes`, or cannot be decompressed. */
export function decompress(
  body: Uint8Array,
  encoding: string | null,
  mostBytes: number,
): Uint8Array | 'too-large' | 'incomplete' {
  const inflate = decompressors.get(encoding ?? '')
  if (!inflate) return body.length > mostBytes ? 'too-large' : body
  const expanded = Math.max(alwaysAllowed, mostExpansion * body.length)
  try {
    return inflate(body, { maxOutputLength: Math.min(mostBytes, expanded) })
  } catch (error) {
    return (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'incomplete'
  }
}
