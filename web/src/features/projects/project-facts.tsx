import type { FullProject } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { setDefaultSchedule } from '../../data/actions/default-schedules.ts'
import { type ProjectChanges, updateProject } from '../../data/actions/projects.ts'
import { defaultOfProject } from '../../data/schedules.ts'
import { perform } from '../../data/run-mutation.ts'
import { queries } from '../../data/queries.ts'
import { useZone } from '../../data/profile.ts'
import { dayOf, instantAt } from '../../time/zone.ts'
import { ColorField } from '../../ui/color-field.tsx'
import { Options, SelectField, TextField } from '../../ui/field.tsx'
import { useDraft } from '../../ui/use-draft.ts'

const endOfWork = 17 * 60

/** The editable fields of a project. Typed values are saved on blur, choices at once. */
export function ProjectFacts({ project }: { project: FullProject }) {
  const { data: spaces = [] } = useQuery(queries.spaces())
  const { data: preferences = [] } = useQuery(queries.preferences())
  const { data: defaults } = useQuery(queries.defaultSchedules())
  const hours = defaultOfProject(defaults, project.id)
  const change = (changes: ProjectChanges, says: string) =>
    void perform(updateProject(project, changes, says))

  const name = useDraft(project.name, (typed) => {
    const next = typed.trim()
    if (next !== '' && next !== project.name) change({ name: next }, `Renamed to “${next}”.`)
  })
  const description = useDraft(project.description, (typed) =>
    change({ description: typed }, 'Changed the description.'),
  )

  return (
    <section aria-label="About the project" className="flex flex-col gap-3">
      <input
        aria-label="Name"
        className="w-full bg-transparent text-xl font-semibold tracking-tight outline-offset-4"
        value={name.text}
        maxLength={200}
        onChange={({ target }) => name.type(target.value)}
        onBlur={name.finish}
        onKeyDown={name.onKeyDown}
      />
      <textarea
        aria-label="Description"
        className="field-sizing-content min-h-6 w-full resize-none bg-transparent text-base text-ink-2 outline-offset-4"
        placeholder="Add a description"
        value={description.text}
        maxLength={100_000}
        onChange={({ target }) => description.type(target.value)}
        onBlur={description.finish}
      />
      <div className="grid grid-cols-2 items-start gap-3 md:grid-cols-[150px_150px_150px_1fr]">
        <SelectField
          label="Space"
          value={project.spaceId ?? ''}
          onChange={({ target }) => change({ spaceId: target.value || null }, 'Changed the space.')}
        >
          <option value="">None</option>
          <Options of={spaces} />
        </SelectField>
        <SelectField
          label="Hours"
          value={hours ?? ''}
          onChange={({ target }) =>
            void perform(
              setDefaultSchedule(
                { kind: 'project', ...project },
                { schedulePreferenceId: hours },
                { schedulePreferenceId: target.value || null },
              ),
            )
          }
        >
          <option value="">Default hours</option>
          <Options of={preferences} />
        </SelectField>
        <TargetDateField project={project} onChange={change} />
        <div className="col-span-2 md:col-span-1">
          <ColorField
            label="Color"
            value={project.color}
            onChange={(color) => change({ color }, 'Changed the color.')}
          />
        </div>
      </div>
    </section>
  )
}

type TargetDateProps = {
  project: FullProject
  onChange: (changes: ProjectChanges, says: string) => void
}

function TargetDateField({ project, onChange }: TargetDateProps) {
  const zone = useZone()
  const targetDay = project.targetDate ? dayOf(project.targetDate, zone).toString() : ''
  const date = useDraft(targetDay, (typed) => {
    const day = typed === '' ? undefined : Temporal.PlainDate.from(typed)
    onChange(
      { targetDate: day ? instantAt(day, endOfWork, zone).toISOString() : '' },
      day ? 'Changed the target date.' : 'Removed the target date.',
    )
  })
  return (
    <TextField
      label="Target date"
      type="date"
      value={date.text}
      onChange={({ target }) => date.type(target.value)}
      onBlur={date.finish}
      onKeyDown={date.onKeyDown}
    />
  )
}
