import type { ListedTask } from '@daywright/contract'
import { Search } from 'lucide-react'
import { memo, type RefObject, useDeferredValue, useMemo, useRef, useState } from 'react'
import { useCommands } from '../../ui/commands/registry.ts'
import { finishTasks } from '../../data/actions/change-tasks.ts'
import { perform } from '../../data/run-mutation.ts'
import { useNow } from '../../time/clock.ts'
import type { Zone } from '../../time/zone.ts'
import { Swatch } from '../../ui/badge.tsx'
import { byUrgency, groupTasks } from './planned.ts'
import { TaskRow } from './task-row.tsx'

type Props = {
  tasks: ListedTask[]
  planned: Map<string, number>
  zone: Zone
  onTake: (event: React.PointerEvent, task: ListedTask) => void
  onPlace: (task: ListedTask) => void
  onOpen: (task: ListedTask) => void
}

const fewest = 60
const manyTasks = 500
const ofList = { group: 'Task list', isKeyOnly: true, isDisabled: true, run: () => {} }

/** The open tasks beside the calendar, filtered by space or text. */
export const TaskList = memo(({ tasks, planned, zone, onTake, onPlace, onOpen }: Props) => {
  const [space, setSpace] = useState<string>()
  const [text, setText] = useState('')
  const [isAll, setAll] = useState(false)
  const filter = useRef<HTMLInputElement>(null)
  const now = useNow()
  const groups = useFilteredGroups(tasks, planned, space, text)
  useTaskListCommands(filter)

  function onKeyDown(event: React.KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const task = tasks.find(({ id }) => id === focusedRow())
    if (event.key === 'ArrowDown') focusRow(rowIndex() + 1)
    else if (event.key === 'ArrowUp') focusRow(rowIndex() - 1)
    else if (event.key === 's' && task) onPlace(task)
    else if (event.key === 'x' && task) void perform(finishTasks([task], 'complete'))
    else return
    event.preventDefault()
  }

  return (
    <>
      <FilterInput inputRef={filter} text={text} onChange={setText} />
      <SpaceFilter tasks={tasks} chosen={space} onChoose={setSpace} />
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className="min-h-0 flex-1 overflow-y-auto px-1.5 pb-16" onKeyDown={onKeyDown}>
        {groups.map(({ name, tasks: ofGroup }) => (
          <section key={name} aria-label={name} className="pt-2">
            <h3 className="px-2 py-1 text-xs font-medium text-ink-3">
              {name} <span className="tabular">{ofGroup.length}</span>
            </h3>
            <ul>
              {(isAll ? ofGroup : ofGroup.slice(0, fewest)).map((task) => (
                <TaskRow
                  key={task.id}
                  planned={planned.get(task.id) ?? 0}
                  {...{ task, zone, now, onTake, onPlace, onOpen }}
                />
              ))}
            </ul>
            {!isAll && ofGroup.length > fewest && (
              <button type="button" className="side-link" onClick={() => setAll(true)}>
                Show all {ofGroup.length}
              </button>
            )}
          </section>
        ))}
        {groups.length === 0 && (
          <p className="px-4 py-10 text-center text-ink-3">
            {tasks.length === 0
              ? 'Nothing to schedule yet. Add a task with an estimate, then plan.'
              : 'No results.'}
          </p>
        )}
      </div>
    </>
  )
})

function useFilteredGroups(
  tasks: ListedTask[],
  planned: Map<string, number>,
  space: string | undefined,
  text: string,
) {
  // A long list may lag behind the typing; a short one is updated with it.
  const deferred = useDeferredValue(text)
  const wanted = tasks.length > manyTasks ? deferred : text
  return useMemo(() => {
    const words = wanted.toLowerCase().split(' ')
    const found = tasks
      .filter((task) => space === undefined || task.spaceId === space)
      .filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
      .toSorted(byUrgency)
    return groupTasks(found, planned)
  }, [tasks, planned, space, wanted])
}

function useTaskListCommands(filter: RefObject<HTMLInputElement | null>) {
  useCommands([
    {
      id: 'task-list.filter',
      title: 'Filter the task list',
      group: 'Calendar',
      keys: '/',
      run: () => filter.current?.focus(),
    },
    // Only listed here: the list itself handles these keys for the focused task.
    { ...ofList, id: 'task-list.place', title: 'Place the task at the next free time', keys: 's' },
    { ...ofList, id: 'task-list.complete', title: 'Complete the task', keys: 'x' },
  ])
}

type FilterInputProps = {
  inputRef: RefObject<HTMLInputElement | null>
  text: string
  onChange: (text: string) => void
}

const FilterInput = ({ inputRef, text, onChange }: FilterInputProps) => (
  <div className="flex-none px-3 pt-2 pb-1">
    <label className="relative block">
      <span className="sr-only">Filter tasks</span>
      <Search
        size={14}
        aria-hidden="true"
        className="pointer-events-none absolute top-2 left-2.5 text-ink-3"
      />
      <input
        ref={inputRef}
        type="search"
        className="input pl-[30px]"
        placeholder="Filter tasks"
        value={text}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') onChange('')
          if (key === 'ArrowDown') focusRow(0)
        }}
      />
    </label>
  </div>
)

type SpaceFilterProps = {
  tasks: ListedTask[]
  chosen: string | undefined
  onChoose: (space: string | undefined) => void
}

/** The spaces of the tasks, if there is more than one. */
function SpaceFilter({ tasks, chosen, onChoose }: SpaceFilterProps) {
  const spaces = useMemo(
    () => [
      ...new Map(
        tasks.flatMap((task) => (task.space ? [[task.space.id, task.space]] : [])),
      ).values(),
    ],
    [tasks],
  )
  if (spaces.length < 2) return null
  return (
    <div
      role="group"
      aria-label="Space"
      className="flex flex-none gap-1 overflow-x-auto px-3 pb-1.5 [scrollbar-width:none]"
    >
      <Chip isOn={chosen === undefined} onClick={() => onChoose(undefined)}>
        All
      </Chip>
      {spaces.map(({ id, name, color }) => (
        <Chip
          key={id}
          isOn={chosen === id}
          onClick={() => onChoose(chosen === id ? undefined : id)}
        >
          <Swatch color={color} /> {name}
        </Chip>
      ))}
    </div>
  )
}

const Chip = ({
  isOn,
  onClick,
  children,
}: {
  isOn: boolean
  onClick: () => void
  children: React.ReactNode
}) => (
  <button
    type="button"
    aria-pressed={isOn}
    onClick={onClick}
    className="flex h-6 flex-none items-center gap-1.5 rounded-full px-2 text-xs font-medium text-ink-2 hover:bg-hover aria-pressed:bg-press aria-pressed:text-ink"
  >
    {children}
  </button>
)

const rows = () => [...document.querySelectorAll<HTMLElement>('[data-row]')]
const focusedRow = () => document.activeElement?.closest<HTMLElement>('[data-task]')?.dataset.task
const rowIndex = () => rows().findIndex(({ dataset }) => dataset.row === focusedRow())
const focusRow = (index: number) => rows()[Math.max(0, index)]?.focus()
