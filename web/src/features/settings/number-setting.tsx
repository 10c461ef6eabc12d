import { TextField } from '../../ui/field.tsx'
import { useDraft } from '../../ui/use-draft.ts'

type Props = {
  label: string
  value: number
  min: number
  max: number
  step?: number
  onChange: (value: number) => void
}

/** A whole number, saved on blur if it is within the limits. */
export function NumberSetting({ label, value, min, max, step = 5, onChange }: Props) {
  const { text, type, finish } = useDraft(String(value), (typed) => {
    const next = Math.round(Number(typed))
    if (typed !== '' && next !== value && next >= min && next <= max) onChange(next)
  })
  return (
    <div className="w-44">
      <TextField
        label={label}
        type="number"
        min={min}
        max={max}
        step={step}
        value={text}
        onChange={({ target }) => type(target.value)}
        onBlur={finish}
      />
    </div>
  )
}
