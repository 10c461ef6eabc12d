import { parseQuickAdd, type Names, type Span } from '@daywright/quick-add'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useZone } from '../../../data/profile.ts'
import { queries } from '../../../data/queries.ts'
import { useNow } from '../../../time/clock.ts'

/** A typed line, and what is recognised in it. */
export function useLine({ canRepeat }: { canRepeat: boolean }) {
  const [text, setText] = useState('')
  const [ignored, setIgnored] = useState<string[]>([])
  const { names, parse } = useParser({ canRepeat })
  const parsed = useMemo(() => parse(text, ignored), [parse, text, ignored])

  return {
    text,
    names,
    parse,
    parsed,
    setText,
    clear: () => {
      setText('')
      setIgnored([])
    },
    /** Returns recognised words to the title. A day and a time typed apart share one value, so both return. */
    takeOut: ({ value }: Span) => {
      const texts = parsed.spans.filter((span) => span.value === value).map((span) => span.text)
      setIgnored([...ignored, ...texts])
    },
  }
}

function useNames(): Names {
  const { data: spaces } = useQuery(queries.spaces())
  const { data: projects } = useQuery(queries.projects())
  const { data: labels } = useQuery(queries.labels())
  return useMemo(
    () => ({
      spaces: spaces ?? [],
      projects: projects?.filter(({ archived }) => !archived) ?? [],
      labels: labels ?? [],
    }),
    [spaces, projects, labels],
  )
}

const repeats: Span['kind'][] = ['repeat']

/** A parser for lines. If a task cannot repeat, words like "every friday" stay in its title. */
export function useParser({ canRepeat }: { canRepeat: boolean }) {
  const names = useNames()
  const zone = useZone()
  const minute = Math.floor(useNow().getTime() / 60_000)
  const parse = useMemo(() => {
    const keepInTitle = canRepeat ? [] : repeats
    const now = new Date(minute * 60_000)
    const locale = navigator.language
    return (text: string, ignored: readonly string[] = []) =>
      parseQuickAdd(text, { now, zone, locale, names, ignored, keepInTitle })
  }, [minute, zone, names, canRepeat])
  return { names, parse }
}
