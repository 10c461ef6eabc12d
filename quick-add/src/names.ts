// Finds spaces, projects and labels by name or by the start of a name: `#work`, `#work/website`, `@legal`.

export type Named = { id: string; name: string; color?: string | null }
export type Project = Named & { spaceId: string | null }
export type Names = { spaces: Named[]; projects: Project[]; labels: Named[] }

type Of =
  | { kind: 'space' | 'label'; value: Named }
  | { kind: 'project'; value: Project }
  | { kind: 'new label'; value: string }
export type FoundName = { start: number; end: number } & Of

/** The longest name that a label can have. */
const longestLabel = 100

/** Limits the work per line, because each sign is compared with every name of the user. */
const mostSigns = 50

export function findNames(line: string, names: Names): FoundName[] {
  const places = [...entriesOf('space', names.spaces), ...entriesOf('project', names.projects)]
  const labels = entriesOf('label', names.labels)
  const found: FoundName[] = []
  let hasPlace = false
  const signs = [...line.matchAll(/(?<!\S)[#@](?=[\p{L}\d])/gu)].slice(0, mostSigns)
  for (const { 0: sign, index: start } of signs) {
    const after = line.slice(start + 1)
    if (sign === '@') {
      // "@5pm" is a time.
      if (/^\d{1,2}(:\d\d)?\s?([ap]m)?(?!\S)/i.test(after)) continue
      const label = bestOf(labels, after)
      const length = label?.length ?? /^\S+/.exec(after)?.[0].length ?? 0
      if (!label && length > longestLabel) continue
      const end = start + 1 + length
      found.push({
        ...(label?.of ?? { kind: 'new label', value: after.slice(0, length) }),
        start,
        end,
      })
    } else if (!hasPlace) {
      const place = inSpace(names, after) ?? bestOf(places, after)
      if (!place) continue
      hasPlace = true
      found.push({ ...place.of, start, end: start + 1 + place.length })
    }
  }
  return found
}

/** The first letters, in both cases, of all names that the line can refer to. */
export function initialsOf(line: string) {
  const initials = new Set<string>()
  for (const [letter] of line.matchAll(/(?<=[#@/])[\p{L}\d]/gu)) {
    initials.add(letter.toLowerCase())
    initials.add(letter.toUpperCase())
  }
  return [...initials]
}

/** `forms`: the name in lower case as it is, with hyphens for spaces, and without spaces. */
type Entry = { of: Of; forms: string[]; hyphened: string }
type Best = { of: Of; length: number }

/** A list of names is used for many lines and many signs, so its forms are made once. */
const made = new WeakMap<readonly Named[], Entry[]>()

function entriesOf(kind: 'space' | 'project' | 'label', all: readonly Named[]) {
  const known = made.get(all)
  if (known) return known
  const entries = all.map((value): Entry => {
    const lower = value.name.toLowerCase()
    const hyphened = hyphen(lower)
    return {
      of: { kind, value } as Of,
      forms: [lower, hyphened, lower.replaceAll(/\s+/g, '')],
      hyphened,
    }
  })
  made.set(all, entries)
  return entries
}

/** `work/website`: the project of that name in that space. */
function inSpace({ spaces, projects }: Names, after: string): Best | undefined {
  if (!after.includes('/')) return undefined
  const lower = after.toLowerCase()
  for (const { of, forms } of entriesOf('space', spaces)) {
    const form = forms.find((each) => lower.startsWith(`${each}/`))
    if (form === undefined) continue
    const { id } = of.value as Named
    const own = entriesOf('project', projects).filter(
      ({ of: { value } }) => (value as Project).spaceId === id,
    )
    const best = bestOf(own, after.slice(form.length + 1))
    if (best) return { of: best.of, length: form.length + 1 + best.length }
  }
  return undefined
}

/** The longest name that the text starts with, or else the first name that starts with the first word of the text. */
function bestOf(all: readonly Entry[], after: string): Best | undefined {
  const lower = after.toLowerCase()
  let whole: Best | undefined
  for (const { of, forms } of all) {
    const length = lengthOf(forms, lower)
    if (length > (whole?.length ?? 0)) whole = { of, length }
  }
  if (whole) return whole
  const word = /^[^\s,;]+/.exec(lower)?.[0] ?? ''
  const begun = all.find(({ hyphened }) => word !== '' && hyphened.startsWith(word))
  return begun && { of: begun.of, length: word.length }
}

/** The number of characters of the text that the name covers, or 0. */
function lengthOf(forms: string[], text: string) {
  const form = forms.find(
    (each) => text.startsWith(each) && !/^[^\s,;.]/.test(text.slice(each.length)),
  )
  return form?.length ?? 0
}

const hyphen = (name: string) => name.replaceAll(/\s+/g, '-')
