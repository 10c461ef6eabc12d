import { DavError } from './errors.ts'
import { type Budget, childOf, childrenOf, type Element, parseXml, textOf } from './xml.ts'

export type Resource = {
  href: string
  /** The status of the resource as a whole; 200 if only its properties have a status. */
  status: number
  properties: Map<string, Element>
}

export type Multistatus = { resources: Resource[]; syncToken: string | null }

export function readMultistatus(text: string, budget: Budget): Multistatus {
  budget.characters -= text.length
  if (budget.characters < 0) throw new DavError('too-large')
  const root = parseXml(text, budget)
  if (root.name !== '{DAV:}multistatus') throw new DavError('not-caldav')
  return {
    resources: childrenOf(root, '{DAV:}response').map(readResource),
    syncToken: textOf(childOf(root, '{DAV:}sync-token')) || null,
  }
}

function readResource(response: Element): Resource {
  const status = childOf(response, '{DAV:}status')
  const properties = childrenOf(response, '{DAV:}propstat')
    // iCloud repeats properties that it does not know, empty and with 404.
    .filter((propstat) => isSuccess(statusOf(childOf(propstat, '{DAV:}status'))))
    .flatMap((propstat) => childOf(propstat, '{DAV:}prop')?.children ?? [])
  return {
    href: textOf(childOf(response, '{DAV:}href')),
    status: status ? statusOf(status) : 200,
    properties: new Map(properties.map((property) => [property.name, property])),
  }
}

/** The number in `HTTP/1.1 404 Not Found`; 200 if there is none. */
const statusOf = (status: Element | undefined) =>
  Number(/\s(\d{3})\b/.exec(textOf(status))?.[1] ?? 200)

export const isSuccess = (status: number) => status >= 200 && status < 300
