import { useQuery } from '@tanstack/react-query'
import { createLabel, deleteLabel, updateLabel } from '../../data/actions/labels.ts'
import { perform } from '../../data/run-mutation.ts'
import { queries } from '../../data/queries.ts'
import { AddColored, ColoredRow } from './colored-rows.tsx'
import { SettingsHead } from './settings-head.tsx'

export function LabelSettings() {
  const { data: labels = [] } = useQuery(queries.labels())
  return (
    <>
      <SettingsHead title="Labels">Tags you can add to any task, in any space.</SettingsHead>
      <ul>
        {labels.map((label) => (
          <ColoredRow
            key={label.id}
            name={label.name}
            color={label.color ?? ''}
            count={`${label._count.tasks} ${label._count.tasks === 1 ? 'task' : 'tasks'}`}
            onRename={(name) => void perform(updateLabel(label, { name }, `Renamed to “${name}”.`))}
            onColor={(color) => void perform(updateLabel(label, { color }, 'Changed the color.'))}
            onDelete={() => void perform(deleteLabel(label))}
          />
        ))}
      </ul>
      <AddColored
        label="New label"
        onAdd={async (name, color) => (await perform(createLabel(name, color))).ok}
      />
    </>
  )
}
