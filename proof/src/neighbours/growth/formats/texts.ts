import { type Format, split } from '../inputs.ts'
import { characters, letters } from './characters.ts'

export const rule: Format = {
  wrappers: {
    'a rule': (text) => text,
    'the rest of a rule': (text) => `FREQ=DAILY;${text}`,
    'the days of a rule': (text) => `FREQ=MONTHLY;BYDAY=${text.replace(/,$/, '')}`,
  },
  groups: [
    {
      within: ['a rule', 'the rest of a rule'],
      tokens: [' ', ',', ';', '=', 'x', 'X-A=1;', 'COUNT=1;', 'BYHOUR=1;', 'FREQ=DAILY;', '\0'],
    },
    { within: ['the days of a rule'], tokens: ['MO,', '1MO,', '-53SU,', '1', '-', '+'] },
  ],
}

export const text: Format = {
  wrappers: { text: (repeated) => repeated },
  groups: [{ within: ['text'], tokens: [...characters, ...letters, '\ud800'] }],
}

export const line: Format = {
  wrappers: {
    'a line': (text) => text,
    'a line with a day': (text) => `${text} fri 5pm`,
  },
  groups: [
    {
      within: ['a line', 'a line with a day'],
      tokens: [
        ...split(' ¦\t¦,¦(¦"¦“¦„¦«¦\'¦x¦x ¦é¦ſ¦1¦1 ¦1/¦12.'),
        ...split('1:¦-¦–¦#¦@¦#work ¦@legal ¦@a{n} ¦#w¦!¦!high ¦~¦~45m '),
        ...split('fri ¦friday ¦sat¦may ¦5pm ¦5 ¦17:00 ¦2026-01-05 ¦2026-01-05T09:00Z '),
        ...split('in ¦in 2 hours ¦not before ¦until ¦by ¦for ¦from ¦bis ¦à partir de '),
        ...split('every ¦every 2 ¦jeden ¦chaque ¦cada ¦mon, ¦on ¦next ¦1h¦1h ¦½'),
        ...split('2 hours ¦about ¦\ue000¦. ¦- [ ] ¦1. '),
      ],
    },
  ],
}

export const document: Format = {
  wrappers: { 'a document': (text) => text },
  groups: [
    {
      within: ['a document'],
      tokens: [
        ...split(' ¦\n¦\r¦a¦*¦**a¦_¦_a¦`¦~~¦[¦]¦[a](¦![¦[]()¦<¦#'),
        ...split('# ¦> ¦- ¦- [ ] ¦1. ¦|¦|-¦\t¦<!--¦&amp;¦\\¦http://a¦\u2028'),
      ],
    },
  ],
}
