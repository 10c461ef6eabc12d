import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createProject } from '../../data/actions/projects.ts'
import { fieldErrors, perform } from '../../data/run-mutation.ts'
import { queries } from '../../data/queries.ts'
import { Button } from '../../ui/button.tsx'
import { ColorField, colors } from '../../ui/color-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Options, SelectField, TextField } from '../../ui/field.tsx'

export function NewProjectDialog({ onClose }: { onClose: () => void }) {
  const { data: spaces = [] } = useQuery(queries.spaces())
  const [name, setName] = useState('')
  const [spaceId, setSpaceId] = useState('')
  const [color, setColor] = useState(colors.Blue)
  const [errors, setErrors] = useState<Record<string, string | undefined>>({})
  const navigate = useNavigate()

  async function save() {
    const outcome = await perform(
      createProject({ name: name.trim(), color, spaceId: spaceId || null }),
    )
    if (!outcome.ok) return setErrors(fieldErrors(outcome.error))
    onClose()
    await navigate({ to: '/projects/$id', params: { id: outcome.answer.id } })
  }

  return (
    <Dialog title="New project" isOpen onClose={onClose}>
      <form
        className="flex flex-col gap-4 p-4 pt-1"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField
          label="Name"
          inputSize="large"
          required
          maxLength={200}
          value={name}
          error={errors.name}
          onChange={({ target }) => setName(target.value)}
        />
        <SelectField
          label="Space"
          inputSize="large"
          value={spaceId}
          onChange={({ target }) => setSpaceId(target.value)}
        >
          <option value="">None</option>
          <Options of={spaces} />
        </SelectField>
        <ColorField label="Color" value={color} onChange={setColor} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={name.trim() === ''}>
            Create project
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
