import { useQuery } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import { setDefaultSchedule } from '../../data/actions/default-schedules.ts'
import { createSpace, deleteSpace, updateSpace } from '../../data/actions/spaces.ts'
import { defaultOfSpace } from '../../data/schedules.ts'
import { perform } from '../../data/run-mutation.ts'
import { queries } from '../../data/queries.ts'
import { IconButton } from '../../ui/button.tsx'
import { Options } from '../../ui/field.tsx'
import { AddColored, ColoredRow } from './colored-rows.tsx'
import { SettingsHead } from './settings-head.tsx'

export function SpaceSettings() {
  const { data: spaces = [] } = useQuery(queries.spaces())
  const { data: preferences = [] } = useQuery(queries.preferences())
  const { data: defaults } = useQuery(queries.defaultSchedules())

  /** Gives the space a sort order between its new neighbours, so that no other space has to change. */
  function moveUp(index: number) {
    const [space, before, earlier] = [spaces[index], spaces[index - 1], spaces[index - 2]]
    if (!space || !before) return
    const sortOrder = earlier ? (earlier.sortOrder + before.sortOrder) / 2 : before.sortOrder - 1
    void perform(updateSpace(space, { sortOrder }, `Moved “${space.name}” up.`))
  }

  return (
    <>
      <SettingsHead title="Spaces">
        Areas of your life. Deleting a space keeps its tasks and projects.
      </SettingsHead>
      <ul>
        {spaces.map((space, index) => (
          <ColoredRow
            key={space.id}
            name={space.name}
            color={space.color}
            count={`${space._count.tasks} ${space._count.tasks === 1 ? 'task' : 'tasks'}, ${space.projects.length} ${space.projects.length === 1 ? 'project' : 'projects'}`}
            onRename={(name) => void perform(updateSpace(space, { name }, `Renamed to “${name}”.`))}
            onColor={(color) => void perform(updateSpace(space, { color }, 'Changed the color.'))}
            onDelete={() => void perform(deleteSpace(space))}
            more={
              <>
                <select
                  aria-label={`Hours of “${space.name}”`}
                  className="input w-36"
                  value={defaultOfSpace(defaults, space.id) ?? ''}
                  onChange={({ target }) =>
                    void perform(
                      setDefaultSchedule(
                        { kind: 'space', ...space },
                        { schedulePreferenceId: defaultOfSpace(defaults, space.id) },
                        { schedulePreferenceId: target.value || null },
                      ),
                    )
                  }
                >
                  <option value="">Default hours</option>
                  <Options of={preferences} />
                </select>
                <IconButton
                  label={`Move “${space.name}” up`}
                  icon={<ArrowUp size={15} />}
                  disabled={index === 0}
                  onClick={() => moveUp(index)}
                />
              </>
            }
          />
        ))}
      </ul>
      <AddColored
        label="New space"
        onAdd={async (name, color) => (await perform(createSpace(name, color))).ok}
      />
    </>
  )
}
