// The words for dates in English, German, French and Spanish. Whole words are recognised in every locale;
// words that mean something else in English are recognised only in the locale of their language.

type Language = 'en' | 'de' | 'fr' | 'es'

/** Monday first. Forms are separated by spaces. */
const weekdays = [
  'monday montag lundi lunes',
  'tuesday dienstag mardi martes',
  'wednesday mittwoch mercredi miércoles miercoles',
  'thursday donnerstag jeudi jueves',
  'friday freitag vendredi viernes',
  'saturday samstag sonnabend samedi sábado sabado',
  'sunday sonntag dimanche domingo',
]

const shortWeekdays: Record<Language, string[]> = {
  en: ['mon', 'tue tues', 'wed weds', 'thu thur thurs', 'fri', 'sat', 'sun'],
  de: ['mo', 'di', 'mi', 'do', 'fr', 'sa', 'so'],
  fr: ['lun', 'mar', 'mer', 'jeu', 'ven', 'sam', 'dim'],
  es: ['lun', 'mar', 'mié mie', 'jue', 'vie', 'sáb sab', 'dom'],
}

const months = [
  'january jan januar jänner janvier janv enero',
  'february feb februar feber février fevrier févr febrero',
  'march mar märz maerz mrz marzo',
  'april apr avril avr abril',
  'may mai',
  'june jun juni juin junio',
  'july jul juli juillet juil julio',
  'august aug août aout agosto',
  'september sep sept septembre septiembre',
  'october oct oktober okt octobre octubre',
  'november nov novembre noviembre',
  'december dec dezember dez décembre decembre déc diciembre',
]

const localMonths: Record<Language, Record<string, number>> = {
  en: {},
  de: { mär: 3 },
  fr: { mars: 3, mai: 5 },
  es: { ene: 1, abr: 4, mayo: 5, ago: 8, dic: 12 },
}

export const numbers = numberWords([
  'a an one ein eine einen einem einer un une una uno',
  'two zwei deux dos',
  'three drei trois tres',
  'four vier quatre cuatro',
  'five fünf cinq cinco',
  'six sechs seis',
  'seven sieben sept siete',
  'eight acht huit ocho',
  'nine neun neuf nueve',
  'ten zehn dix diez',
])

export type Vocabulary = {
  language: Language
  /** True if 12/5 means 5 December, not 12 May. */
  isMonthFirst: boolean
  weekdays: Map<string, number>
  months: Map<string, number>
}

const made = new Map<string, Vocabulary>()

export function vocabularyOf(locale: string): Vocabulary {
  const start = locale.slice(0, 2).toLowerCase()
  const language = start === 'de' || start === 'fr' || start === 'es' ? start : 'en'
  const isMonthFirst = /^en(-us)?$/i.test(locale)
  const key = `${language} ${isMonthFirst}`
  const known = made.get(key)
  if (known) return known
  const vocabulary = {
    language,
    isMonthFirst,
    // The user's own language comes last, so that it wins: "mar" is a Tuesday to a French user.
    weekdays: new Map([
      ...numberWords(weekdays),
      ...numberWords(shortWeekdays.en),
      ...numberWords(shortWeekdays[language]),
    ]),
    months: new Map([...numberWords(months), ...Object.entries(localMonths[language])]),
  } satisfies Vocabulary
  made.set(key, vocabulary)
  return vocabulary
}

function numberWords(lines: string[]) {
  return new Map(lines.flatMap((line, i) => line.split(' ').map((word) => [word, i + 1] as const)))
}

/** "3", "three", "½" or "1½" as a number. */
export function readNumber(text: string) {
  const word = numbers.get(text.toLowerCase())
  if (word !== undefined) return word
  const half = text.endsWith('½') ? 0.5 : 0
  return Number(text.replace('½', '').replace(',', '.') || 0) + half
}

/** Words that a date or duration before them cannot describe: "about" in "call Ana friday about rent". */
export const linkingWords = new Set(
  (
    'about with for at to and or by from before after the a an my our your via without on in into per then until till if ' +
    'when while because so but using through near is are was due sharp latest p1 p2 p3 p4 asap ' +
    'mit für bei zu zum zur und oder von vor nach ab bis um an auf wegen ohne der die das den dem mein meine ' +
    'avec pour chez et ou de du des avant après sur sans le la les mon ma mes ' +
    'con para en y o del antes sobre sin el los las mi mis'
  ).split(' '),
)

/** Words that make the day or time after them part of the title: "talk to Sat", "about 5pm", "the Friday meeting". */
export const claimingWords = new Set(
  (
    'about to with of the a an my our your his her their its last past since vs versus like re ' +
    'über mit der die das des mein meine letzten letzte letzter ' +
    'avec la les con sobre los las'
  ).split(' '),
)

/** Words that a number belongs to: "chapter 3". */
export const numberedThings = new Set(
  (
    'page pages p pp chapter chapters ch section sections line lines step steps item items unit units exercise exercises ' +
    'version versions level levels part parts room rooms season episode seite seiten kapitel zeile raum chapitre chapitres ' +
    'página páginas capítulo capítulos'
  ).split(' '),
)
