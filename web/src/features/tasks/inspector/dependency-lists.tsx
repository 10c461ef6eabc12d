import type { Dependencies, FullTask, ListedTask } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { blockBy, unblock } from '../../../data/actions/task-links.ts'
import { perform } from '../../../data/run-mutation.ts'
import { queries } from '../../../data/queries.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Anchored } from '../fields/anchored.tsx'
import { PickList } from '../fields/pick-list.tsx'
import { StatusMark } from '../status-mark.tsx'
import { Quiet, Section } from './section.tsx'

type Side = 'blockedBy' | 'blocks'
const titles: Record<Side, string> = { blockedBy: 'Blocked by', blocks: 'Blocking' }

/** The dependencies of a task in both directions. The service refuses a cycle with a message. */
export function DependencyLists({ task }: { task: FullTask }) {
  const { data } = useQuery(queries.dependencies(task.id))
  return (
    <>
      <List side="blockedBy" task={task} links={data?.blockedBy ?? []} />
      <List side="blocks" task={task} links={data?.blocks ?? []} />
    </>
  )
}

type Named = Dependencies[Side][number]['task']
type ListProps = { side: Side; task: FullTask; links: Dependencies[Side] }

function List({ side, task, links }: ListProps) {
  const [anchor, setAnchor] = useState<HTMLElement>()
  const pair = (other: Named): [Named, Named] =>
    side === 'blockedBy' ? [task, other] : [other, task]
  return (
    <Section
      title={titles[side]}
      actions={
        <IconButton
          label={side === 'blockedBy' ? 'Add a blocking task' : 'Add a blocked task'}
          className="size-6"
          icon={<Plus size={14} />}
          onClick={({ currentTarget }) => setAnchor(currentTarget)}
        />
      }
    >
      {links.length === 0 && <Quiet>{side === 'blockedBy' ? 'Not blocked.' : 'None.'}</Quiet>}
      <ul>
        {links.map(({ task: other }) => (
          <li
            key={other.id}
            className="group -mx-1 flex min-h-7 items-center gap-2 rounded-control px-1 hover:bg-hover"
          >
            <StatusMark status={other.status} />
            <Link
              to="/tasks/$id"
              params={{ id: other.id }}
              className={`min-w-0 flex-1 truncate py-1 hover:underline ${other.status === 'completed' ? 'text-ink-3 line-through' : ''}`}
            >
              {other.title}
            </Link>
            <IconButton
              label={`Remove “${other.title}”`}
              className="size-6 on-hover"
              icon={<X size={13} />}
              onClick={() => void perform(unblock(...pair(other)))}
            />
          </li>
        ))}
      </ul>
      {anchor && (
        <Anchored anchor={anchor} label={titles[side]} onClose={() => setAnchor(undefined)}>
          <OtherTask
            except={new Set([task.id, ...links.map(({ task: { id } }) => id)])}
            onPick={(other) => {
              setAnchor(undefined)
              void perform(blockBy(...pair(other)))
            }}
          />
        </Anchored>
      )}
    </Section>
  )
}

type OtherProps = { except: Set<string>; onPick: (task: ListedTask) => void }

function OtherTask({ except, onPick }: OtherProps) {
  const { data: tasks = [] } = useQuery(queries.openTasks())
  return (
    <PickList
      label="Find a task"
      placeholder="Find a task"
      options={tasks
        .filter(({ id }) => !except.has(id))
        .map(({ id, title, status }) => ({
          key: id,
          name: title,
          icon: <StatusMark status={status} />,
        }))}
      onPick={(key) => {
        const other = tasks.find(({ id }) => id === key)
        if (other) onPick(other)
      }}
    />
  )
}
