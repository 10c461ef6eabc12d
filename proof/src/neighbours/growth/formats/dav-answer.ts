import { type Format, split, within } from '../inputs.ts'

const response = (inside: string) => `<d:response>${inside}</d:response>`
const multistatus = (inside: string) =>
  `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${inside}</d:multistatus>`
const object = (href: string, properties: string) =>
  response(
    `<d:href>${href}</d:href><d:propstat><d:prop>${properties}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>`,
  )
const inProperty = (property: string) => (text: string) =>
  multistatus(object('/a.ics', `<${property}>${text}</${property}>`))

export const davAnswer: Format = {
  wrappers: {
    'a document': (text) => text,
    'a multistatus': multistatus,
    'a response': (text) => multistatus(response(text)),
    attributes: (text) => multistatus(`<d:a ${text} />`),
    'the value of an attribute': (text) => multistatus(`<d:a a="${text}" />`),
    'the name of an element': (text) => multistatus(`<d:a${text} />`),
    'the path of an object': (text) => multistatus(object(text, '<d:getetag>"1"</d:getetag>')),
    'an ETag': inProperty('d:getetag'),
    'the data of an object': inProperty('c:calendar-data'),
    'a display name': inProperty('d:displayname'),
    'a sync token': (text) => multistatus(`<d:sync-token>${text}</d:sync-token>`),
    'a status': (text) => multistatus(response(`<d:status>${text}</d:status>`)),
  },
  groups: [
    {
      within: ['a document', 'a multistatus', 'a response'],
      tokens: [
        ...split('<a>¦</a>¦<a/>¦<d:prop>¦<¦>¦<!--¦<!---->¦<![CDATA[¦]]>'),
        ...split('<![CDATA[]]>¦<?a?>¦<?¦<!DOCTYPE a>¦&amp;¦&¦ ¦\n¦x¦😀'),
      ],
    },
    {
      within: ['attributes'],
      tokens: [
        'a{n}="" ',
        'a="" ',
        'xmlns:n{n}="x" ',
        'xmlns="x" ',
        'd:a{n}="" ',
        'a',
        '=',
        '"',
        ' ',
      ],
    },
    {
      within: ['the value of an attribute', 'the name of an element'],
      tokens: ['x', ' ', ':', '&amp;', '\n', 'é'],
    },
    {
      within: ['the path of an object', 'an ETag', 'a sync token', 'a status', 'a display name'],
      tokens: ['x', '/', '../', '%41', '%', ' ', '😀', '\\', '?', '#', '&#x41;', ' 200', '"'],
    },
    { within: ['the data of an object'], tokens: ['BEGIN:VTIMEZONE\n', '\n', '&#13;\n', 'x'] },
    {
      within: ['a multistatus'],
      tokens: [
        object('/{n}.ics', '<d:getetag>"{n}"</d:getetag>'),
        object('/{n}.ics', '<d:getetag>"{n}"</d:getetag><c:calendar-data>x</c:calendar-data>'),
        object('/{n}/', '<d:resourcetype><c:calendar/></d:resourcetype>'),
        response('<d:href>/{n}.ics</d:href><d:status>HTTP/1.1 404 Gone</d:status>'),
        response('<d:propstat/>'),
        '<d:sync-token>x</d:sync-token>',
      ],
    },
  ],
}

/** Whole elements and attributes only. */
export const davLists = within(davAnswer, ['a multistatus', 'attributes'])
