import { type Format, split, within } from '../inputs.ts'

const jsonCharacters = [
  'x',
  ' ',
  '\\n',
  '\\"',
  '\\u0000',
  '😀',
  '1',
  '.',
  '-',
  ':',
  '@',
  'a@',
  '1.',
]
const googleEvent = (more: string) =>
  `{"id":"a{n}","start":{"date":"2026-01-05"},"end":{"date":"2026-01-06"}${more}},`
const microsoftEvent = (more: string) =>
  `{"id":"a{n}","start":{"dateTime":"2026-01-05T09:00:00"},"end":{"dateTime":"2026-01-05T10:00:00"}${more}},`
const itemsIn = (list: string, after: string) => (items: string) =>
  `{"${list}":[${items.replace(/,$/, '')}]${after}}`
const googleField = (field: string) => (value: string) =>
  `{"items":[{"id":"a","start":{"date":"2026-01-05"},"end":{"date":"2026-01-06"},${field.replace('…', value)}}]}`

export const jsonAnswer: Format = {
  wrappers: {
    'an answer': (text) => text,
    'a list of arrays': (text) => `[${text.replace(/,$/, '')}]`,
    'the items of Google': itemsIn('items', ',"nextSyncToken":"t"'),
    'the items of Microsoft': itemsIn('value', ',"@odata.deltaLink":"https://graph.example.com/t"'),
    'the id of an event': (text) => googleField('"id":"…"')(text),
    'a summary': (text) => googleField('"summary":"…"')(text),
    'a location': (text) => googleField('"location":"…"')(text),
    'a time': (text) => googleField('"start":{"dateTime":"…"}')(`2026-01-05T09:00:00${text}`),
    'a date': (text) => googleField('"start":{"date":"…"}')(text),
    'a color': (text) => `{"items":[{"id":"a","backgroundColor":"${text}"}]}`,
    'the guests of an event': (text) => googleField('"attendees":[…]')(text.replace(/,$/, '')),
    'a local time': (text) =>
      `{"value":[{"id":"a","start":{"dateTime":"2026-01-05T09:00:00${text}"},"end":{"dateTime":"2026-01-05T10:00:00"}}]}`,
    'a refresh token': (text) => `{"access_token":"a","expires_in":3600,"refresh_token":"${text}"}`,
    'an ID token': (text) =>
      `{"access_token":"a","expires_in":3600,"refresh_token":"b","id_token":"${text}"}`,
    'the email of an ID token': (text) =>
      `{"access_token":"a","expires_in":3600,"refresh_token":"b","id_token":"a.${Buffer.from(`{"email":"${text}"}`).toString('base64url')}.c"}`,
  },
  groups: [
    {
      within: ['an answer', 'a list of arrays'],
      tokens: [
        '[',
        ']',
        '{"a":',
        '{"{n}":1,',
        '"',
        '\\',
        '0',
        '1e',
        '-',
        ' ',
        'null,',
        '[],',
        '{},',
      ],
    },
    {
      within: [
        ...split('the id of an event¦a summary¦a location¦a time¦a date¦a color'),
        ...split('a local time¦a refresh token¦an ID token¦the email of an ID token'),
      ],
      tokens: jsonCharacters,
    },
    {
      within: ['the items of Google'],
      tokens: [
        googleEvent(''),
        googleEvent(',"summary":"x","location":"y","attendees":[{"self":true}]'),
        '{"id":"a{n}","status":"cancelled"},',
        '{},',
        '{"id":"a{n}","summary":"x"},',
      ],
    },
    {
      within: ['the items of Microsoft'],
      tokens: [
        microsoftEvent(''),
        microsoftEvent(',"type":"occurrence","seriesMasterId":"a"'),
        microsoftEvent(',"type":"seriesMaster"'),
        '{"id":"a{n}","@removed":{}},',
        '{"id":"a{n}","name":"x"},',
      ],
    },
    { within: ['the guests of an event'], tokens: ['{"self":true},', '{},', '{"self":false},'] },
  ],
}

/** Lists of events or calendars. */
export const events = within(jsonAnswer, [
  'a list of arrays',
  'the items of Google',
  'the items of Microsoft',
  'the guests of an event',
])

/** Answers of token endpoints. */
export const tokens = within(jsonAnswer, [
  'an answer',
  'a refresh token',
  'an ID token',
  'the email of an ID token',
])
