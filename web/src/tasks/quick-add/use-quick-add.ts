import type { NewTask } from '../../data/actions/tasks.ts'
import { createTask } from '../../data/actions/tasks.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { api } from '../../data/api.ts'
import { keys } from '../../data/keys.ts'
import { perform } from '../../data/perform.ts'
import { queries } from '../../data/queries.ts'
import { useNow } from '../../time/clock.ts'
import { useZone } from '../../time/zone.ts'
import type { DateFinder } from './due.ts'
import { type Known, parseLine, type Token } from './parse.ts'

let loading: Promise<DateFinder> | undefined

/** chrono-node is as large as the rest of the dialog, so it is loaded when the dialog first opens. */
const loadDates = () =>
  (loading ??= import('chrono-node').then(
    ({ casual }): DateFinder =>
      (...given) =>
        casual.parse(...given),
  ))

/** The typed line, its parsed tokens, and a function to create the task. */
export function useQuickAdd(defaults: Partial<NewTask> = {}) {
  const [text, setText] = useState('')
  const [ignored, setIgnored] = useState<string[]>([])
  const known = useKnown()
  const { title, tokens } = useMemo(() => parseLine(text, known, ignored), [text, known, ignored])
  const canAdd = title !== ''

  async function add() {
    if (!canAdd) return false
    const task = { ...defaults, ...fieldsOf(tokens, known), title }
    const newLabels = tokens.filter((token) => token.kind === 'new label')
    setText('')
    setIgnored([])
    const labelIds = [
      ...(defaults.labelIds ?? []),
      ...tokens.flatMap((token) => (token.kind === 'label' ? [token.value.id] : [])),
    ]
    for (const { value } of newLabels) {
      const made = await perform({
        send: () => api.labels.create({ name: value }),
        refreshes: [keys.labels],
      })
      if (!made.ok) return giveBack()
      labelIds.push(made.answer.id)
    }
    const { ok } = await perform(createTask({ ...task, ...(labelIds.length > 0 && { labelIds }) }))
    return ok || giveBack()

    function giveBack() {
      // A refusal restores the text, unless something else is being typed already.
      setText((current) => (current === '' ? text : current))
      return false
    }
  }

  return {
    text,
    title,
    tokens,
    known,
    canAdd,
    add,
    setText,
    takeOut: (token: Token) => setIgnored([...ignored, token.text]),
  }
}

function useKnown(): Known {
  const { data: spaces } = useQuery(queries.spaces())
  const { data: projects } = useQuery(queries.projects())
  const { data: labels } = useQuery(queries.labels())
  const [findDates, setFindDates] = useState<DateFinder>()
  const zone = useZone()
  const minute = Math.floor(useNow().getTime() / 60_000)
  useEffect(() => {
    void loadDates().then((finder) => setFindDates(() => finder))
  }, [])
  return useMemo(
    () => ({
      now: new Date(minute * 60_000),
      zone,
      spaces: spaces ?? [],
      projects: projects?.filter(({ archived }) => !archived) ?? [],
      labels: labels ?? [],
      findDates,
    }),
    [minute, zone, spaces, projects, labels, findDates],
  )
}

function fieldsOf(tokens: Token[], known: Known): Partial<NewTask> {
  const fields: Partial<NewTask> = {}
  for (const token of tokens) {
    if (token.kind === 'due') fields.dueAt = token.value.toISOString()
    else if (token.kind === 'start') fields.startAfter = token.value.toISOString()
    else if (token.kind === 'estimate') fields.estimateMinutes = token.value
    else if (token.kind === 'priority') fields.priority = token.value
    else if (token.kind === 'space') {
      fields.spaceId = token.value.id
      fields.projectId = null
    } else if (token.kind === 'project') {
      const { id } = token.value
      fields.projectId = id
      fields.spaceId = known.projects.find((project) => project.id === id)?.spaceId ?? null
    }
  }
  return fields
}
