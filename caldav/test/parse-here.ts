import { type Client, type DavRequest, type DavResponse, type Parse } from '../src/index.ts'
import { readListing } from '../src/listing.ts'
import { readMultistatus } from '../src/multistatus.ts'

const textOf = ({ body }: { body: Uint8Array }) => new TextDecoder().decode(body)

/** Parses answers in this process. */
export const parseHere: Parse = {
  multistatus: async (content, budget) => readMultistatus(textOf(content), budget),
  objects: async (content, url, budget) => readListing(textOf(content), url, budget),
}

/** An answer with a text for its content. */
export type TextResponse = Omit<DavResponse, 'content'> & { text: string }

/** A client with a server that answers with texts. */
export const clientOf = (send: (request: DavRequest) => Promise<TextResponse>): Client => ({
  async send(request) {
    const { text, ...rest } = await send(request)
    return { ...rest, content: { body: new TextEncoder().encode(text), encoding: null } }
  },
  parse: parseHere,
})
