import { SaxesParser } from 'saxes'
import { DavError } from './errors.ts'

export type Element = {
  /** With its namespace: `{DAV:}href`. */
  name: string
  /** Without their namespaces. */
  attributes: Map<string, string>
  children: Element[]
  text: string
}

const deepest = 50

/** How many elements and attributes may still be parsed: they take far more time and memory than their bytes. */
export type Budget = { elements: number }

/** Characters parsed at once, in about 10 ms: a large document must not delay other work of the process. */
const pieceLength = 20_000

/** Reads a document. One with a DTD is refused: its entities could make a short text long. */
export async function parseXml(text: string, budget: Budget): Promise<Element> {
  const parser = new SaxesParser({ xmlns: true })
  const root = elementOf('')
  const open = [root]
  const addText = (more: string) => void (open.at(-1)!.text += more)
  parser.on('error', refuse)
  parser.on('doctype', refuse)
  parser.on('opentag', ({ uri, local, attributes }) => {
    if (open.length > deepest) refuse()
    budget.elements -= 1 + Object.keys(attributes).length
    if (budget.elements < 0) throw new DavError('too-large')
    const element = elementOf(`{${uri}}${local}`)
    for (const { local, value } of Object.values(attributes)) element.attributes.set(local, value)
    open.at(-1)!.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  parser.on('text', addText)
  parser.on('cdata', addText)
  for (let start = 0; start < text.length; start += pieceLength) {
    if (start > 0) await letOtherWorkRun()
    parser.write(text.slice(start, start + pieceLength))
  }
  parser.close()
  return root.children[0] ?? refuse()
}

const letOtherWorkRun = () => new Promise<void>((resolve) => void setImmediate(resolve))

const elementOf = (name: string): Element => ({
  name,
  attributes: new Map(),
  children: [],
  text: '',
})

const refuse = (): never => {
  throw new DavError('not-caldav')
}

export const childrenOf = (element: Element | undefined, name: string) =>
  element?.children.filter((child) => child.name === name) ?? []

export const childOf = (element: Element | undefined, name: string) =>
  element?.children.find((child) => child.name === name)

export const textOf = (element: Element | undefined) => element?.text.trim() ?? ''
