import type { FullTask, Recurrence } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { Repeat } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { repeatTask } from '../../data/actions/recurrences.ts'
import { useZone } from '../../data/profile.ts'
import { queries } from '../../data/queries.ts'
import { perform } from '../../data/run-mutation.ts'
import { useNow } from '../../time/clock.ts'
import { Anchored } from '../tasks/fields/anchored.tsx'
import { PickList } from '../tasks/fields/pick-list.tsx'
import { PropertyRow } from '../tasks/inspector/property-row.tsx'
import { choicesFor, dueTimeOf, firstDayOf } from './repeat-choices.ts'
import { newForm } from './repeat-form.ts'

const RepeatDialog = lazy(() => import('./repeat-dialog.tsx'))
const SeriesDialog = lazy(() => import('./series-dialog.tsx'))

/** The row that says how often a task repeats, and its dialogs. Without a recurrence, it offers preset rules first. */
export function useRepeat(task: FullTask) {
  const { data, refetch } = useQuery(queries.recurrenceOf(task.id))
  const [anchor, setAnchor] = useState<HTMLElement>()
  const [dialog, setDialog] = useState<'new' | 'series'>()
  const { recurrence, occurrence } = data ?? {}

  /** The row can be pressed before it is known whether the task repeats. */
  async function open(button: HTMLElement) {
    const known = data ?? (await refetch({ cancelRefetch: false })).data
    if (known?.recurrence) setDialog('series')
    else if (known) setAnchor(button)
  }
  const row = (
    <PropertyRow name="Repeats" Icon={Repeat} onOpen={(button) => void open(button)}>
      {recurrence ? (
        describe(recurrence)
      ) : (
        <span className="text-ink-3">{data ? 'Never' : '…'}</span>
      )}
    </PropertyRow>
  )
  const dialogs = (
    <>
      {anchor && (
        <Choices
          task={task}
          anchor={anchor}
          onCustom={() => setDialog('new')}
          onClose={() => setAnchor(undefined)}
        />
      )}
      <Suspense>
        {dialog === 'new' && <NewRepeat task={task} onClose={() => setDialog(undefined)} />}
        {dialog === 'series' && recurrence && occurrence && (
          <SeriesDialog {...{ recurrence, occurrence }} onClose={() => setDialog(undefined)} />
        )}
      </Suspense>
    </>
  )
  return { row, dialogs }
}

const describe = ({ words, pausedAt }: Recurrence) =>
  `${words.charAt(0).toUpperCase()}${words.slice(1)}${pausedAt ? ' (paused)' : ''}`

type ChoicesProps = {
  task: FullTask
  anchor: HTMLElement
  onCustom: () => void
  onClose: () => void
}

function Choices({ task, anchor, onCustom, onClose }: ChoicesProps) {
  const choices = choicesFor(task.dueAt, useZone(), useNow())
  function pick(key: string) {
    onClose()
    const choice = choices.find((each) => each.key === key)
    if (choice) void perform(repeatTask(task, choice.rule))
    else onCustom()
  }
  const options = [...choices, { key: 'custom', name: 'Custom…' }]
  return (
    <Anchored anchor={anchor} label="Repeat" onClose={onClose}>
      <PickList
        label="Repeat"
        options={options.map(({ key, name }, index) => ({ key, name, digit: String(index + 1) }))}
        onPick={pick}
      />
    </Anchored>
  )
}

function NewRepeat({ task, onClose }: { task: FullTask; onClose: () => void }) {
  const zone = useZone()
  const now = useNow()
  const startsOn = firstDayOf(task.dueAt, zone, now).toString()
  return (
    <RepeatDialog
      title={`Repeat “${task.title}”`}
      start={newForm(startsOn, dueTimeOf(task.dueAt, zone))}
      choices={[{ label: 'Repeat', choose: (rule) => repeatTask(task, rule) }]}
      onClose={onClose}
    />
  )
}
