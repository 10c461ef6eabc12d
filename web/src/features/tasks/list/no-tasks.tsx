import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import type { TasksSearch } from '../search.ts'
import type { Changes } from '../search.ts'

type Props = { search: TasksSearch; hasTasks: boolean; onSearch: (changes: Changes) => void }

export function NoTasks({ search, hasTasks, onSearch }: Props) {
  const isNarrowed = search.find || search.label || search.status || search.project
  if (search.project === 'none' && !search.find && !search.label && !search.status) {
    return (
      <EmptyState title="The inbox is empty">
        Tasks without a project appear here until you move them to one.
      </EmptyState>
    )
  }
  if (hasTasks && isNarrowed) {
    return (
      <EmptyState
        title="No matching tasks"
        action={
          <Button
            onClick={() =>
              onSearch({ find: undefined, label: undefined, status: undefined, project: undefined })
            }
          >
            Show all
          </Button>
        }
      >
        Change the filters, or show all tasks.
      </EmptyState>
    )
  }
  return (
    <EmptyState title="Nothing to do here">
      Type a task above, or press <Kbd keys="q" /> anywhere. You can add a date and a length in the
      same line: “tidy the shed sat 2h”.
    </EmptyState>
  )
}
