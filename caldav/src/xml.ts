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

export type Budget = {
  /** How many elements and attributes may still be parsed: they take far more time and memory than their bytes. */
  elements: number
  /** How many characters of answers may still be read. */
  characters: number
}

/** Reads a document. One with a DTD is refused: its entities could make a short text long. */
export function parseXml(text: string, budget: Budget): Element {
  const parser = new SaxesParser({ xmlns: true })
  const root = elementOf('')
  const open = [root]
  const addText = (more: string) => void (open.at(-1)!.text += more)
  parser.on('error', refuse)
  parser.on('doctype', refuse)
  // Before the attributes of an element are resolved, which takes far longer than reading them.
  parser.on('attribute', () => spend(budget))
  parser.on('opentag', ({ uri, local, attributes }) => {
    if (open.length > deepest) refuse()
    spend(budget)
    const element = elementOf(`{${uri}}${local}`)
    for (const { local, value } of Object.values(attributes)) element.attributes.set(local, value)
    open.at(-1)!.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.write(text)
  parser.close()
  return root.children[0] ?? refuse()
}

function spend(budget: Budget) {
  budget.elements -= 1
  if (budget.elements < 0) throw new DavError('too-large')
}

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
