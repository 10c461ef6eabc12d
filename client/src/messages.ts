export type Message = { id: string; event: string; data: string }

/** The messages of a server-sent event stream, as they arrive. */
export async function* messagesOf(response: Response): AsyncGenerator<Message> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of response.body ?? []) {
    const parts = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const fields = new Map(
        part.split('\n').map((line) => {
          const colon = line.indexOf(': ')
          return [line.slice(0, colon), line.slice(colon + 2)]
        }),
      )
      const [id, event, data] = ['id', 'event', 'data'].map((name) => fields.get(name))
      if (id !== undefined && data !== undefined) yield { id, event: event ?? '', data }
    }
  }
}
