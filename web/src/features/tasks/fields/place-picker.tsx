import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import type { Place } from '../../../data/actions/task-fields.ts'
import { queries } from '../../../data/queries.ts'
import { Swatch } from '../../../ui/badge.tsx'
import { type Option, PickList } from './pick-list.tsx'

type Props = { value: Place | undefined; onPick: (place: Place) => void }

/** Spaces with their projects, then the projects without a space. */
export function PlacePicker({ value, onPick }: Props) {
  const { data: spaces = [] } = useQuery(queries.spaces())
  const { data: projects = [] } = useQuery(queries.projects())
  const open = projects.filter(({ archived }) => !archived)
  const places = new Map<string, Place>([['inbox', { space: null, project: null }]])
  const options: Option[] = [
    { key: 'inbox', name: 'Inbox', icon: <Inbox size={14} aria-hidden="true" /> },
  ]

  function offer(project: (typeof open)[number], space: Place['space']) {
    const { id, name, color } = project
    places.set(id, { space, project: { id, name, color } })
    const isIndented = space !== null
    options.push({ key: id, name, icon: <Swatch color={color} isRound />, isIndented })
  }
  for (const { id, name, color, icon } of spaces) {
    const space = { id, name, color, icon }
    places.set(id, { space, project: null })
    options.push({ key: id, name, icon: <Swatch color={color} /> })
    for (const project of open) if (project.spaceId === id) offer(project, space)
  }
  for (const project of open) if (project.spaceId === null) offer(project, null)

  const chosen = value && (value.project?.id ?? value.space?.id ?? 'inbox')
  return (
    <PickList
      label="Space or project"
      placeholder="Move to…"
      options={options.map((option) => ({ ...option, isChosen: option.key === chosen }))}
      onPick={(key) => onPick(places.get(key) ?? { space: null, project: null })}
    />
  )
}
