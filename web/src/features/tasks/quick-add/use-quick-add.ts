import { type QuickAdd, recurrenceOf } from '@daywright/quick-add'
import { useMemo, useState } from 'react'
import { createEvent, type Place } from '../../../data/actions/blocks.ts'
import { createRecurrence } from '../../../data/actions/recurrences.ts'
import { createTask, createTasks, type NewTask } from '../../../data/actions/tasks.ts'
import { useZone } from '../../../data/profile.ts'
import { perform } from '../../../data/run-mutation.ts'
import { now } from '../../../time/clock.ts'
import { makeTask } from './make-task.ts'
import { useLine } from './use-line.ts'

type Options = {
  /** Whether a line with a fixed time, and nothing that only a task has, makes an event. */
  makesEvents?: boolean
  /** Replaces the default, which only creates the task. */
  create?: (task: NewTask) => Promise<boolean>
}

export type QuickAddField = ReturnType<typeof useQuickAdd>

/** A field in which tasks are added: one from the typed line, or several from pasted lines. */
export function useQuickAdd(defaults: Partial<NewTask> = {}, options: Options = {}) {
  const { create = createOne, makesEvents = false } = options
  // A subtask, or a task that is placed on the calendar, cannot repeat.
  const canRepeat = options.create === undefined && !defaults.parentTaskId
  const { text, names, parse, parsed, setText, clear, takeOut } = useLine({ canRepeat })
  const zone = useZone()
  const [pasted, setPasted] = useState<string[]>([])
  const { title, spans } = parsed
  const canAdd = title !== ''
  const event = makesEvents && !parsed.repeat ? eventIn(parsed) : undefined

  async function addTask() {
    const task = await makeTask(parsed, defaults)
    return task !== undefined && (await createOnceOrOften(task, parsed))
  }

  async function createOnceOrOften(task: NewTask, line: QuickAdd) {
    const rule = recurrenceOf(line, now(), zone)
    return rule ? (await perform(createRecurrence(task, rule))).ok : create(task)
  }

  async function add() {
    if (!canAdd) return false
    clear()
    if (await (event ? addEvent(title, event) : addTask())) return true
    // If the service refuses, restore the text unless the user has already typed something else.
    setText((current) => (current === '' ? text : current))
    return false
  }

  const asked = useMemo(
    () =>
      pasted
        .map((line) => ({ line, parsed: parse(line) }))
        .filter((each) => each.parsed.title !== ''),
    [parse, pasted],
  )

  async function addPasted() {
    const made = new Map<string, string>()
    const tasks: NewTask[] = []
    const repeating: [NewTask, QuickAdd][] = []
    for (const each of asked) {
      const task = await makeTask(each.parsed, defaults, made)
      if (!task) return false
      if (each.parsed.repeat) repeating.push([task, each.parsed])
      else tasks.push(task)
    }
    if (tasks.length > 0 && !(await perform(createTasks(tasks))).ok) return false
    for (const each of repeating) if (!(await createOnceOrOften(...each))) return false
    setPasted([])
    clear()
    return true
  }

  return {
    title,
    spans,
    text,
    isEvent: event !== undefined,
    canAdd,
    add,
    setText,
    takeOut,
    /** The pasted lines that the user is asked about. */
    asked,
    addPasted,
    joinPasted: () => {
      setText(pasted.join(' '))
      setPasted([])
    },
    dropPasted: () => setPasted([]),
    /** The props of the line input. */
    line: { text, names, spans, onChange: setText, onPasteLines: setPasted },
  }
}

const createOne = async (task: NewTask) => (await perform(createTask(task))).ok

const addEvent = async (title: string, place: Place) =>
  (await perform(createEvent(title, place, `Added “${title}” to the calendar.`))).ok

/** The fixed time of a line, unless it names something that only a task has. */
function eventIn({ event, priority, space, project, labels, newLabels }: QuickAdd) {
  const isTask = priority ?? space ?? project ?? labels[0] ?? newLabels[0]
  return event && isTask === undefined ? { startAt: event.start, endAt: event.end } : undefined
}
