import { type SubmitEvent, useState } from 'react'
import { createTask } from '../data/actions/tasks.ts'
import { inShort, planNow } from '../data/actions/planner.ts'
import { perform } from '../data/perform.ts'
import { formatMinutes } from '../time/format.ts'
import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toasts.ts'
import { Step } from './step.tsx'

type Row = { title: string; minutes: number }

const estimates = [15, 30, 60, 90, 120, 240]
const hints = ['Write the quarterly report', 'Call the insurance', 'Prepare Friday’s talk']

export function FirstTasks({ onDone }: { onDone: () => void }) {
  const [rows, setRows] = useState<Row[]>(hints.map(() => ({ title: '', minutes: 60 })))
  const [isBusy, setBusy] = useState(false)
  const named = rows.filter(({ title }) => title.trim() !== '')

  const change = (index: number, changes: Partial<Row>) =>
    setRows(rows.map((row, at) => (at === index ? { ...row, ...changes } : row)))

  async function plan(event: SubmitEvent) {
    event.preventDefault()
    setBusy(true)
    for (const { title, minutes } of named) {
      const task = createTask({ title: title.trim(), estimateMinutes: minutes })
      const { ok } = await perform({ ...task, says: '' })
      if (!ok) return setBusy(false)
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
          <Button type="submit" look="primary" size="large" disabled={isBusy || named.length === 0}>
            {isBusy ? 'Planning…' : 'Plan my week'}
          </Button>
        }
      >
        <ol className="flex flex-col gap-2">
          {rows.map((row, index) => (
            <li key={hints[index]} className="flex gap-2">
              <input
                aria-label={`Task ${index + 1}`}
                className="input input-large flex-1"
                placeholder={hints[index]}
                value={row.title}
                autoFocus={index === 0}
                onChange={({ target }) => change(index, { title: target.value })}
              />
              <select
                aria-label={`How long task ${index + 1} takes`}
                className="input input-large w-28 flex-none"
                value={row.minutes}
                onChange={({ target }) => change(index, { minutes: Number(target.value) })}
              >
                {estimates.map((minutes) => (
                  <option key={minutes} value={minutes}>
                    {formatMinutes(minutes)}
                  </option>
                ))}
              </select>
            </li>
          ))}
        </ol>
      </Step>
    </form>
  )
}
