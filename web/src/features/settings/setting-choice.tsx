import type { ReactNode } from 'react'
import { Checkbox } from '../../ui/checkbox.tsx'

type Props = {
  label: string
  hint: string
  checked: boolean
  onChange: (on: boolean) => void
  children?: ReactNode
}

/** A setting that is on or off, with its details while it is on. */
export const SettingChoice = ({ label, hint, checked, onChange, children }: Props) => (
  <div className="flex flex-col gap-2 py-4 first:pt-0">
    <div className="font-medium">
      <Checkbox
        label={label}
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
    </div>
    <p className="pl-6 text-ink-2">{hint}</p>
    {checked && children && <div className="flex flex-wrap gap-4 pt-1 pl-6">{children}</div>}
  </div>
)
