import { type SubmitEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { createTask } from '../../data/actions/tasks.ts'
import { inShort, planNow } from '../../data/actions/planner.ts'
import { perform } from '../../data/run-mutation.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../data/toasts.ts'
import { makeTask } from '../tasks/quick-add/make-task.ts'
import { useParser } from '../tasks/quick-add/use-line.ts'
import { insertLines, padRows, type Row, withRowAfter } from './first-rows.ts'
import { FirstTaskRow } from './first-task-row.tsx'
import { Step } from './step.tsx'

const hints = ['Write the quarterly report 2h by fri', 'Call the insurance 15m', 'Prepare the talk']

export function FirstTasks({ onDone }: { onDone: () => void }) {
  const [rows, setRows] = useState<Row[]>(() => padRows([]))
  const [isBusy, setBusy] = useState(false)
  const { names, parse } = useParser({ canRepeat: false })
  const parsedRows = rows.map((row) => ({ row, parsed: parse(row.text) }))
  const named = parsedRows.filter(({ parsed }) => parsed.title !== '')

  const change = (index: number, changes: Partial<Row>) =>
    setRows(rows.map((row, at) => (at === index ? { ...row, ...changes } : row)))

  const list = useRef<HTMLOListElement>(null)
  const submit = useRef<HTMLButtonElement>(null)

  /** Goes to the next row, or from an empty one to the button. */
  function leaveRow(index: number) {
    if (rows[index]?.text.trim() === '') return submit.current?.focus()
    flushSync(() => setRows(withRowAfter(rows, index)))
    list.current?.querySelectorAll('input')[index + 1]?.focus()
  }

  async function plan(event: SubmitEvent) {
    event.preventDefault()
    setBusy(true)
    const made = new Map<string, string>()
    for (const [index, { row, parsed }] of named.entries()) {
      const task = await makeTask(parsed, { estimateMinutes: row.minutes }, made)
      const { ok } = task ? await perform({ ...createTask(task), says: '' }) : { ok: false }
      if (!ok) {
        // The earlier rows are tasks by now: another attempt must not create them again.
        setRows(padRows(named.slice(index).map((each) => each.row)))
        return setBusy(false)
      }
    }
    const run = await perform(planNow())
    if (run.ok) toast(inShort(run.answer))
    onDone()
  }

  return (
    <form onSubmit={(event) => void plan(event)}>
      <Step
        title="What is on your mind?"
        lead="Add three tasks with rough estimates and we’ll schedule them."
        action={
          <Button
            ref={submit}
            type="submit"
            look="primary"
            size="large"
            disabled={isBusy || named.length === 0}
          >
            {isBusy ? 'Planning…' : 'Plan my week'}
          </Button>
        }
      >
        <ol ref={list} className="flex flex-col gap-2">
          {parsedRows.map(({ row, parsed }, index) => (
            <FirstTaskRow
              // Rows have no id, and their content is in this component.
              // oxlint-disable-next-line react/no-array-index-key
              key={index}
              row={row}
              number={index + 1}
              hint={hints[index] ?? ''}
              names={names}
              parsed={parsed}
              onChange={(changes) => change(index, changes)}
              // Without asking, because no task is created yet.
              onPasteLines={(lines) => setRows(insertLines(rows, index, lines))}
              onEnter={() => leaveRow(index)}
            />
          ))}
        </ol>
      </Step>
    </form>
  )
}
