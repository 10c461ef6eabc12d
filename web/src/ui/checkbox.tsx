import type { InputHTMLAttributes } from 'react'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
  label: string
  isLabelHidden?: boolean
  /** Round for tasks; square for everything else. */
  isRound?: boolean
}

export function Checkbox({ label, isLabelHidden, isRound, className = '', ...rest }: Props) {
  const look = `check ${isRound ? 'check-round' : ''} ${className}`
  if (isLabelHidden) return <input type="checkbox" aria-label={label} className={look} {...rest} />
  return (
    <label className="flex items-center gap-2">
      <input type="checkbox" className={look} {...rest} />
      {label}
    </label>
  )
}
