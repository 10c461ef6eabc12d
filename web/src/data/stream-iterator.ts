/** Reading a stream with `for await`, for browsers that cannot yet; the client does it for events. */
export function iterateStreams() {
  if (Symbol.asyncIterator in ReadableStream.prototype) return
  Object.assign(ReadableStream.prototype, {
    async *[Symbol.asyncIterator](this: ReadableStream<unknown>) {
      const reader = this.getReader()
      try {
        for (;;) {
          const { done, value } = await reader.read()
          if (done) return
          yield value
        }
      } finally {
        await reader.cancel()
      }
    },
  })
}
