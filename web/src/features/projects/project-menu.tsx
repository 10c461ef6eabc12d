import type { FullProject } from '@daywright/contract'
import { useNavigate } from '@tanstack/react-router'
import { Archive, CalendarCheck, CalendarX, Ellipsis } from 'lucide-react'
import { archiveProject, updateProject } from '../../data/actions/projects.ts'
import { perform } from '../../data/run-mutation.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'

export function ProjectMenu({ project }: { project: FullProject }) {
  const navigate = useNavigate()

  async function archive() {
    const { ok } = await perform(archiveProject(project))
    if (ok) await navigate({ to: '/projects' })
  }
  // The API does not return autoSchedule of a project, so these are commands, not a switch.
  const plan = (autoSchedule: boolean) =>
    void perform(
      updateProject(
        project,
        { autoSchedule },
        autoSchedule
          ? 'All its open tasks will be scheduled.'
          : 'Its open tasks won’t be scheduled automatically.',
      ),
    )

  return (
    <Menu trigger={<IconButton label="More" icon={<Ellipsis size={16} />} />}>
      <MenuItem icon={<CalendarCheck size={15} />} onSelect={() => plan(true)}>
        Schedule all its tasks
      </MenuItem>
      <MenuItem icon={<CalendarX size={15} />} onSelect={() => plan(false)}>
        Don’t schedule its tasks
      </MenuItem>
      <MenuLine />
      <MenuItem
        icon={<Archive size={15} />}
        disabled={project.archived}
        onSelect={() => void archive()}
      >
        Archive
      </MenuItem>
    </Menu>
  )
}
