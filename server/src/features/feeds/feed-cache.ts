// The files of feeds that were written last, by their ETags: calendar programs read a feed again and again.
const mostBytes = 32_000_000

export function createFeedCache() {
  const files = new Map<string, Buffer>()
  let bytes = 0

  return {
    get: (tag: string) => files.get(tag),

    add(tag: string, file: Buffer) {
      if (files.has(tag)) return
      files.set(tag, file)
      bytes += file.length
      // The oldest come first.
      for (const [old, { length }] of files) {
        if (bytes <= mostBytes) break
        files.delete(old)
        bytes -= length
      }
    },
  }
}
