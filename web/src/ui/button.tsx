import type { ComponentProps, ReactNode } from 'react'
import { tip } from './tip.ts'

type Look = 'primary' | 'plain' | 'quiet' | 'danger'

export type ButtonProps = ComponentProps<'button'> & {
  look?: Look
  size?: 'normal' | 'large'
  /** Shown in the tooltip and exposed to assistive technology. */
  keys?: string
}

export function Button({
  look = 'plain',
  size = 'normal',
  keys,
  className = '',
  type = 'button',
  ...rest
}: ButtonProps) {
  const classes = `button button-${look} ${size === 'large' ? 'button-large' : ''} ${className}`
  return <button type={type} className={classes} {...tip('', keys)} {...rest} />
}

type IconButtonProps = Omit<ButtonProps, 'children'> & { label: string; icon: ReactNode }

/** An icon button: its label is its accessible name and its tooltip. */
export function IconButton({
  label,
  icon,
  look = 'quiet',
  keys,
  className = '',
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      className={`button button-${look} icon-button ${className}`}
      {...tip(label, keys)}
      {...rest}
    >
      {icon}
    </button>
  )
}
