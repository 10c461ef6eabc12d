/** Adds `for await` over streams to browsers without it; the client needs it for events. */
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
