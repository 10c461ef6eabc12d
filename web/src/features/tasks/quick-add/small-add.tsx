import type { ReactNode, SubmitEvent } from 'react'
import { LineInput } from './line-input.tsx'
import { PastedLines } from './pasted-lines.tsx'
import { TokenChips } from './token-chips.tsx'
import type { QuickAddField } from './use-quick-add.ts'

type Props = {
  field: QuickAddField
  label: string
  placeholder: string
  /** The class of the input. */
  className: string
  /** Shown before the input. */
  icon?: ReactNode
}

/** A field without a button: Enter adds the task. */
export function SmallAdd({ field, label, placeholder, className, icon }: Props) {
  const { title, spans, add, takeOut } = field

  function submit(event: SubmitEvent) {
    event.preventDefault()
    void add()
  }
  return (
    <form onSubmit={submit} className="mb-1">
      <div className="flex items-center gap-2">
        {icon}
        <LineInput {...field.line} label={label} placeholder={placeholder} className={className} />
      </div>
      {spans.length > 0 && (
        <div className="py-1.5">
          <TokenChips title={title} spans={spans} onTakeOut={takeOut} />
        </div>
      )}
      <PastedLines field={field} />
    </form>
  )
}
