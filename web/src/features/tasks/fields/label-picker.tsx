import type { Task } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../data/api.ts'
import { keys } from '../../../data/keys.ts'
import { perform } from '../../../data/run-mutation.ts'
import { queries } from '../../../data/queries.ts'
import { Swatch } from '../../../ui/badge.tsx'
import { PickList } from './pick-list.tsx'

type Label = Task['labels'][number]
type Props = { value: Label[]; onToggle: (label: Label, isOn: boolean) => void }

export function LabelPicker({ value, onToggle }: Props) {
  const { data: labels = [] } = useQuery(queries.labels())
  const chosen = new Set(value.map(({ id }) => id))

  async function make(name: string) {
    const made = await perform({
      send: () => api.labels.create({ name }),
      refreshes: [keys.labels],
    })
    if (made.ok) onToggle(made.answer, true)
  }
  return (
    <PickList
      label="Labels"
      placeholder="Find or create a label"
      options={labels.map(({ id, name, color }) => ({
        key: id,
        name,
        icon: <Swatch color={color} isRound />,
        isChosen: chosen.has(id),
      }))}
      onNew={(name) => void make(name)}
      onPick={(key) => {
        const label = labels.find(({ id }) => id === key)
        if (label) onToggle(label, !chosen.has(key))
      }}
    />
  )
}
