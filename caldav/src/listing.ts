// A list of the objects of a calendar, with or without their files.
import { DavError } from './errors.ts'
import { readMultistatus, type Resource } from './multistatus.ts'
import { type Budget, textOf } from './xml.ts'

/** Limits of what is stored for each object. */
const longestPath = 2000
const longestEtag = 1000

export type ListedObject = {
  path: string
  status: number
  etag: string | undefined
  /** Undefined unless it was requested. */
  body: string | undefined
}

export type Listing = { objects: ListedObject[]; syncToken: string | null }

/** Reads a list. Paths are relative to `url`. */
export function readListing(text: string, url: string, budget: Budget): Listing {
  const { resources, syncToken } = readMultistatus(text, budget)
  const objects = resources.map((resource) => ({
    path: pathOf(resource.href, url),
    status: resource.status,
    etag: etagOf(resource),
    body: resource.properties.get('{urn:ietf:params:xml:ns:caldav}calendar-data')?.text,
  }))
  return { objects, syncToken }
}

function etagOf({ properties }: Resource) {
  const etag = textOf(properties.get('{DAV:}getetag'))
  if (etag.length > longestEtag) throw new DavError('too-large')
  return etag || undefined
}

/** The path in one spelling: servers encode the same name differently in different answers. */
export function pathOf(href: string, base: string) {
  if (href.length > longestPath) throw new DavError('too-large')
  const { pathname } = URL.parse(href, base) ?? new URL(base)
  const path = pathname.split('/').map(normalize).join('/')
  // Encoding can make a path longer.
  if (path.length > longestPath) throw new DavError('too-large')
  return path
}

function normalize(segment: string) {
  try {
    return encodeURIComponent(decodeURIComponent(segment))
  } catch {
    return segment
  }
}
