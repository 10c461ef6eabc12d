import { type Format, split } from '../inputs.ts'

export const header: Format = {
  wrappers: {
    'a header': (text) => text,
    'a cookie': (text) => `daywright.session_token=${text}`,
    'a token': (text) => `dwk_${text}`,
    'an address': (text) => `https://example.com/${text}`,
    'a host': (text) => `https://${text}`,
  },
  groups: [
    {
      within: ['a header', 'a cookie', 'a token', 'an address', 'a host'],
      tokens: [
        ...split(' ¦\t¦,¦, ¦;¦; ¦=¦"¦a¦%¦%41¦.¦:¦::¦/¦-¦_¦\\'),
        ...split('a=b; ¦W/"a", ¦*¦ handling=¦,handling¦[¦1:¦1.¦127.0.0.1, ¦a.¦@'),
        ...split('%E2%82¦?a=¦&a[]=¦../¦é'),
      ],
    },
  ],
}

export const field: Format = {
  wrappers: { 'a field': (text) => text, 'an address': (text) => `https://example.com/${text}` },
  groups: [
    {
      within: ['a field', 'an address'],
      tokens: [
        ...split(' ¦\n¦a¦A¦1¦0¦.¦,¦-¦_¦:¦/¦@¦#¦+¦%¦=¦;¦\0'),
        ...split('a@¦a.¦a@a.¦1-¦1:¦2026-01-05¦T¦Z¦FREQ=DAILY;¦é¦😀¦\ud800¦en-'),
      ],
    },
  ],
}

export const list: Format = {
  wrappers: { 'a list': (text) => `[${text.replace(/,$/, '')}]` },
  groups: [
    {
      within: ['a list'],
      tokens: [
        ...split('"a",¦"a{n}",¦1,¦{n},¦null,¦{},¦[],¦true,¦"2026-01-05",'),
        '"01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e11",',
        '{"day":[1],"start":"09:00","end":"10:00"},',
        '{"id":"01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e11","title":"a","sortOrder":{n}},',
      ],
    },
  ],
}
