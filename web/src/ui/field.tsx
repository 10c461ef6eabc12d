import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from 'react'

type Around = {
  label: string
  hint?: ReactNode
  error?: string | undefined
  isLabelHidden?: boolean
}

/** A labelled control with its hint and, from `fieldErrors`, the service's error. */
export function Field({
  label,
  hint,
  error,
  isLabelHidden,
  children,
}: Around & { children: (control: Described) => ReactNode }) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-xs font-medium text-ink-2'}>
        {label}
      </label>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': describedBy || undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-ink-3">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-xs text-signal-ink">
          {error}
        </p>
      )}
    </div>
  )
}

type Described = {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

type Size = { inputSize?: 'normal' | 'large' }
const classOf = (size: Size['inputSize']) => `input ${size === 'large' ? 'input-large' : ''}`

export function TextField({
  label,
  hint,
  error,
  isLabelHidden,
  inputSize,
  ...rest
}: Around & Size & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field {...{ label, hint, error, isLabelHidden }}>
      {(control) => <input className={classOf(inputSize)} {...rest} {...control} />}
    </Field>
  )
}

/** The platform's own select, which works on every phone and with screen readers. */
export function SelectField({
  label,
  hint,
  error,
  isLabelHidden,
  inputSize,
  children,
  ...rest
}: Around & Size & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Field {...{ label, hint, error, isLabelHidden }}>
      {(control) => (
        <select className={classOf(inputSize)} {...rest} {...control}>
          {children}
        </select>
      )}
    </Field>
  )
}

/** One option per record, labelled with its name. */
export const Options = ({ of }: { of: { id: string; name: string }[] }) =>
  of.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ))
