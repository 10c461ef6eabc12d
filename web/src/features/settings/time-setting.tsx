import { TextField } from '../../ui/field.tsx'
import { useDraft } from '../../ui/use-draft.ts'

type Props = { label: string; value: string; onChange: (time: string) => void }

/** A time of day. Saved on blur, because the input has other valid values while the user types. */
export function TimeSetting({ label, value, onChange }: Props) {
  const { text, type, finish } = useDraft(value, (time) => time !== '' && onChange(time))
  return (
    <div className="w-44">
      <TextField
        label={label}
        type="time"
        value={text}
        onChange={({ target }) => type(target.value)}
        onBlur={finish}
      />
    </div>
  )
}
