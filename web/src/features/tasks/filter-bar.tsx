import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Search, X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useCommands } from '../../ui/commands/registry.ts'
import { queries } from '../../data/queries.ts'
import { Swatch } from '../../ui/badge.tsx'
import { DisplayMenu, FilterMenu, type FilterProps, statusWords } from './filter-menus.tsx'

type Props = FilterProps & { hasSpaces: boolean }

export function FilterBar({ search, hasSpaces, onSearch }: Props) {
  const { data: spaces = [] } = useQuery(queries.spaces())
  const navigate = useNavigate()
  const find = useRef<HTMLInputElement>(null)
  useCommands([
    {
      id: 'tasks.find',
      title: 'Find in these tasks',
      group: 'Tasks',
      keys: '/',
      run: () => find.current?.focus(),
    },
    {
      id: 'tasks.archive',
      title: 'Go to the archive',
      group: 'Go to',
      keys: 'g a',
      run: () => void navigate({ to: '/archive' }),
    },
  ])
  const isEverywhere = search.space === undefined && search.project === undefined
  return (
    <div className="flex flex-none flex-wrap items-center gap-x-2 gap-y-1.5 border-b px-3 py-1.5 md:px-4">
      {hasSpaces && (
        <div
          role="group"
          aria-label="Space / project"
          className="-mx-1 flex min-w-0 gap-0.5 overflow-x-auto px-1"
        >
          <Pill
            isOn={isEverywhere}
            onClick={() => onSearch({ space: undefined, project: undefined })}
          >
            All
          </Pill>
          <Pill
            isOn={search.project === 'none' && search.space === undefined}
            onClick={() => onSearch({ space: undefined, project: 'none' })}
          >
            Inbox
          </Pill>
          {spaces.map(({ id, name, color }) => (
            <Pill
              key={id}
              isOn={search.space === id}
              onClick={() => onSearch({ space: id, project: undefined })}
            >
              <Swatch color={color} />
              {name}
            </Pill>
          ))}
        </div>
      )}
      <ActiveFilters search={search} onSearch={onSearch} />
      <div className="ml-auto flex items-center gap-1 max-md:w-full">
        <label className="flex h-7 items-center gap-1.5 rounded-control px-2 text-ink-3 focus-within:bg-sunken max-md:-ml-2 max-md:flex-1">
          <Search size={14} aria-hidden="true" />
          <input
            ref={find}
            type="search"
            aria-label="Find in these tasks"
            placeholder="Find"
            className="w-20 bg-transparent max-md:w-full text-ink outline-none transition-[width] md:focus:w-36"
            value={search.find ?? ''}
            onChange={({ target }) => onSearch({ find: target.value || undefined }, true)}
            onKeyDown={({ key, currentTarget }) => {
              if (key === 'Escape') currentTarget.blur()
            }}
          />
        </label>
        <FilterMenu search={search} onSearch={onSearch} />
        <DisplayMenu search={search} onSearch={onSearch} />
      </div>
    </div>
  )
}

const Pill = (props: { isOn: boolean; onClick: () => void; children: ReactNode }) => (
  <button
    type="button"
    aria-pressed={props.isOn}
    onClick={props.onClick}
    className="flex h-7 flex-none items-center gap-1.5 rounded-control px-2.5 text-ink-2 hover:bg-hover aria-pressed:bg-press aria-pressed:font-medium aria-pressed:text-ink"
  >
    {props.children}
  </button>
)

function ActiveFilters({ search, onSearch }: FilterProps) {
  const { data: projects = [] } = useQuery(queries.projects())
  const { data: labels = [] } = useQuery(queries.labels())
  const nameOf = (all: { id: string; name: string }[], id: string | undefined) =>
    all.find((each) => each.id === id)?.name
  const active = [
    { field: 'project' as const, name: nameOf(projects, search.project) },
    { field: 'label' as const, name: nameOf(labels, search.label) },
    { field: 'status' as const, name: search.status && statusWords[search.status] },
  ].filter(({ name }) => name !== undefined)
  return active.map(({ field, name }) => (
    <span key={field} className="task-chip pr-0.5">
      <span className="font-normal text-ink-3 capitalize">{field}</span>
      {name}
      <button
        type="button"
        aria-label={`Remove the filter by ${field}`}
        className="grid size-5 place-content-center rounded-[4px] text-ink-3 hover:bg-hover hover:text-ink"
        onClick={() => onSearch({ [field]: undefined })}
      >
        <X size={12} aria-hidden="true" />
      </button>
    </span>
  ))
}
