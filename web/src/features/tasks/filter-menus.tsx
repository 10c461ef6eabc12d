import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Archive, ListFilter, SlidersHorizontal } from 'lucide-react'
import { statusNames } from '../../data/actions/task-fields.ts'
import { queries } from '../../data/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Options, SelectField } from '../../ui/field.tsx'
import { Popover } from '../../ui/popover.tsx'
import type { Grouping, Sorting } from './groups.ts'
import type { TasksSearch } from './search.ts'
import type { Changes } from './search.ts'

export type FilterProps = {
  search: TasksSearch
  onSearch: (changes: Changes, isReplace?: boolean) => void
}

export const statusWords: Record<string, string> = {
  backlog: statusNames.backlog,
  todo: statusNames.todo,
  in_progress: statusNames.in_progress,
  done: 'Done or cancelled',
  all: 'Open and done',
}

export function FilterMenu({ search, onSearch }: FilterProps) {
  const { data: projects = [] } = useQuery(queries.projects())
  const { data: labels = [] } = useQuery(queries.labels())
  return (
    <Popover
      label="Filter"
      trigger={
        <Button look="quiet" aria-label="Filter">
          <ListFilter size={15} aria-hidden="true" />
          <span className="max-md:hidden">Filter</span>
        </Button>
      }
    >
      <div className="flex w-56 flex-col gap-3">
        <SelectField
          label="Project"
          value={search.project ?? ''}
          onChange={({ target }) => onSearch({ project: target.value || undefined })}
        >
          <option value="">Any</option>
          <option value="none">No project</option>
          <Options of={projects} />
        </SelectField>
        <SelectField
          label="Label"
          value={search.label ?? ''}
          onChange={({ target }) => onSearch({ label: target.value || undefined })}
        >
          <option value="">Any</option>
          <Options of={labels} />
        </SelectField>
        <SelectField
          label="Status"
          value={search.status ?? ''}
          onChange={({ target }) => onSearch({ status: target.value || undefined })}
        >
          <option value="">Open</option>
          {Object.entries(statusWords).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </SelectField>
        <Link to="/archive" className="button button-quiet -mx-1 justify-start">
          <Archive size={14} aria-hidden="true" />
          Archive
        </Link>
      </div>
    </Popover>
  )
}

export function DisplayMenu({ search, onSearch }: FilterProps) {
  return (
    <Popover
      label="Display"
      trigger={
        <Button look="quiet" aria-label="Display">
          <SlidersHorizontal size={15} aria-hidden="true" />
          <span className="max-md:hidden">Display</span>
        </Button>
      }
    >
      <div className="flex w-52 flex-col gap-3">
        <SelectField
          label="Group by"
          value={search.group ?? 'due'}
          onChange={({ target }) =>
            onSearch({ group: target.value === 'due' ? undefined : (target.value as Grouping) })
          }
        >
          <option value="due">Due date</option>
          <option value="place">Space or project</option>
          <option value="priority">Priority</option>
          <option value="status">Status</option>
          <option value="none">Nothing</option>
        </SelectField>
        <SelectField
          label="Sort by"
          value={search.sort ?? 'due'}
          onChange={({ target }) =>
            onSearch({ sort: target.value === 'due' ? undefined : (target.value as Sorting) })
          }
        >
          <option value="due">Due date</option>
          <option value="priority">Priority</option>
          <option value="estimate">Longest first</option>
          <option value="title">Title</option>
          <option value="newest">Newest first</option>
        </SelectField>
      </div>
    </Popover>
  )
}
