// Tasks, projects, spaces and documents as palette commands that open them.
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { queries } from '../../data/queries.ts'
import type { Command } from '../../ui/commands/registry.ts'

const most = 8

/** The records whose name contains every word of the text; none for fewer than two letters. */
export function usePlaces(text: string): Command[] {
  const navigate = useNavigate()
  const { data: tasks = [] } = useQuery(queries.openTasks())
  const { data: projects = [] } = useQuery(queries.projects())
  const { data: spaces = [] } = useQuery(queries.spaces())
  const { data: documents = [] } = useQuery(queries.documents())
  const words = text.toLowerCase().split(' ').filter(Boolean)
  if (text.trim().length < 2) return []

  const commandsFor = (group: string, to: string, things: { id: string; name: string }[]) =>
    things
      .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
      .slice(0, most)
      .map(({ id, name }) => ({
        id,
        title: name,
        group,
        run: () => void navigate({ to: `${to}/${id}` }),
      }))
  const withName = ({ id, title }: { id: string; title: string }) => ({ id, name: title })
  return [
    ...commandsFor('Task', '/tasks', tasks.map(withName)),
    ...commandsFor('Project', '/projects', projects),
    ...commandsFor('Space', '/spaces', spaces),
    ...commandsFor('Document', '/documents', documents.map(withName)),
  ]
}
