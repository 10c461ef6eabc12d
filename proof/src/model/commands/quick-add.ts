// Lines with a simple meaning. All other phrases are in the table of phrases of quick-add/.
import fc from 'fast-check'
import { bodyFor, call, expect, invalid } from '../call.ts'
import { command } from '../command.ts'
import { isFresh } from '../fresh-id.ts'
import { type Label, now } from '../model.ts'
import { taskOf } from '../show.ts'
import { body, type Field, flag, rarely, type Sent, text } from '../values.ts'
import { newTaskOf } from './tasks.ts'

type Line = { title: string; minutes?: number; priority?: string; label?: string }

const lines: fc.Arbitrary<Line> = fc.record({
  title: fc.constantFrom(
    'Write the report',
    'Send it',
    'Überweisen',
    '<b>\u200B😀</b>',
    '#nowhere',
  ),
  minutes: rarely(fc.constantFrom(15, 45, 120), 2),
  priority: rarely(fc.constantFrom('low', 'medium', 'high', 'urgent'), 2),
  // No other label has a name that begins like one of these.
  label: rarely(fc.constantFrom('errand', 'office'), 2),
})

const partsOf = ({ title, minutes, priority, label }: Line) => [
  { kind: 'title', text: title },
  ...(minutes ? [{ kind: 'estimate', text: `~${minutes}m` }] : []),
  ...(priority ? [{ kind: 'priority', text: `!${priority}` }] : []),
  ...(label ? [{ kind: 'label', text: `@${label}` }] : []),
]
const textOf = (line: Line) =>
  partsOf(line)
    .map(({ text }) => text)
    .join(' ')

// Lines without a title or with one that is too long. They are refused when parsed, after the Idempotency-Key check.
const unfit = fc
  .constantFrom(' ', '!high ~45m', 'x'.repeat(501))
  .map((value): Sent => ({ value, stored: undefined }))

const given: Field = {
  good: fc.oneof(
    { weight: 5, arbitrary: lines.map((line): Sent => ({ value: textOf(line), stored: line })) },
    { weight: 1, arbitrary: unfit },
  ),
  bad: fc.oneof(
    text(1, 1000).bad,
    fc.constantFrom('One\nTwo', 'One\rTwo').map((value): Sent => ({ value, bad: '' })),
  ),
}

// Not the defaults of `POST /api/tasks`.
const sessions = { minSessionMinutes: 30, maxSessionMinutes: 120, cooldownMinutes: 10 }

/** The recognised words with their places in the line. */
function recognisedIn(line: Line, isKnown: boolean) {
  let end = -1
  return partsOf(line)
    .map(({ kind, text }) => {
      const start = end + 1
      end = start + text.length
      return { kind: kind === 'label' && !isKnown ? 'new label' : kind, text, start, end }
    })
    .slice(1)
}

export const quickAdd = [
  command('quickAdd', {}, body({ text: given, dryRun: flag }, ['text']), async (scene, drawn) => {
    const operation = 'quickAdd'
    const sent = bodyFor(scene, drawn)
    const request = { operation, method: 'POST', path: '/api/quick-add', body: sent }
    const answer = await call(scene, request)
    if (!answer) return
    const { rows } = scene.me
    const line = sent.values.text as Line | undefined
    if (!line) return expect(answer, operation, 400, invalid('text'))
    const { title, minutes = null, priority = 'none', label: name } = line
    const known = [...rows.labels.values()].find((label) => label.name === name)
    const newLabels = name && !known ? [name] : []
    const recognised = recognisedIn(line, known !== undefined)
    const values = { title, estimateMinutes: minutes, priority }
    if (sent.values.dryRun) {
      const places = { dueAt: null, startAfter: null, spaceId: null, projectId: null }
      const task = { ...values, ...places, labelIds: known ? [known.id] : [] }
      return expect(answer, operation, 200, { recognised, newLabels, task })
    }
    const shown = answer.status < 300 ? answer.body.task : undefined
    const label = name && shown ? (known ?? newLabel(name, shown.labels[0]?.id)) : undefined
    if (label) rows.labels.set(label.id, label)
    const id = shown ? isFresh(scene, shown.id) : ''
    const task = newTaskOf(id, answer, {
      ...values,
      ...sessions,
      labelIds: label ? [label.id] : [],
    })
    expect(answer, operation, 201, { recognised, newLabels, task: taskOf(scene.me, task) })
    rows.tasks.set(task.id, task)

    function newLabel(name: string, id: unknown): Label {
      const createdAt = now(answer!)
      return { id: isFresh(scene, id), name, color: null, createdAt, updatedAt: createdAt }
    }
  }),
]
