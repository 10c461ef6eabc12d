// Spaces and labels: a name and a colour each, edited in place.
import { Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Swatch } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { ColorField, colors } from '../../ui/color-field.tsx'
import { Popover } from '../../ui/popover.tsx'
import { useDraft } from '../../ui/use-draft.ts'

type RowProps = {
  name: string
  color: string
  count: string
  onRename: (name: string) => void
  onColor: (color: string) => void
  onDelete: () => void
  more?: ReactNode
}

export function ColoredRow({ name, color, count, onRename, onColor, onDelete, more }: RowProps) {
  const { text, type, finish, onKeyDown } = useDraft(name, (typed) => {
    const next = typed.trim()
    if (next !== '' && next !== name) onRename(next)
  })

  return (
    <li className="flex min-h-10 items-center gap-1 border-b">
      <Popover
        label={`Color of “${name}”`}
        trigger={<IconButton label={`Color of “${name}”`} icon={<Swatch color={color} />} />}
      >
        <ColorField label="Color" value={color} onChange={onColor} />
      </Popover>
      <input
        aria-label={`Name of “${name}”`}
        className="min-w-0 flex-1 bg-transparent py-1 font-medium"
        value={text}
        maxLength={100}
        onChange={({ target }) => type(target.value)}
        onBlur={finish}
        onKeyDown={onKeyDown}
      />
      <span className="px-2 text-xs text-ink-3 tabular">{count}</span>
      {more}
      <IconButton label={`Delete “${name}”`} icon={<Trash2 size={15} />} onClick={onDelete} />
    </li>
  )
}

type AddProps = { label: string; onAdd: (name: string, color: string) => Promise<boolean> }

export function AddColored({ label, onAdd }: AddProps) {
  const [name, setName] = useState('')
  const palette = Object.values(colors)
  const [color, setColor] = useState(colors.Blue)

  async function add() {
    if (!(await onAdd(name.trim(), color))) return
    setName('')
    setColor(palette[(palette.indexOf(color) + 3) % palette.length] ?? colors.Blue)
  }

  return (
    <form
      className="mt-5 flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
    >
      <label className="flex min-w-48 flex-1 flex-col gap-1.5">
        <span className="text-xs font-medium text-ink-2">{label}</span>
        <input
          className="input"
          value={name}
          maxLength={100}
          onChange={({ target }) => setName(target.value)}
        />
      </label>
      <ColorField label="Color" value={color} onChange={setColor} />
      <Button type="submit" look="primary" disabled={name.trim() === ''}>
        Add
      </Button>
    </form>
  )
}
