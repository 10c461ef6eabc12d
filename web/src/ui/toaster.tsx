import { X } from 'lucide-react'
import { dismiss, useToasts } from '../data/toasts.ts'

export function Toaster() {
  const toasts = useToasts()
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-16 z-50 flex flex-col items-center gap-2 px-3 md:bottom-5"
    >
      {toasts.map(({ id, text, tone, actions = [] }) => (
        <div
          key={id}
          data-toast={tone ?? 'plain'}
          className="toast pointer-events-auto flex min-h-10 max-w-[560px] items-center gap-3 rounded-[9px] bg-ink py-1.5 pr-1.5 pl-4 text-on-ink shadow-float"
        >
          <span className="flex-1">{text}</span>
          {actions.map(({ label, run }) => (
            <button
              key={label}
              type="button"
              className="h-7 rounded-control px-2.5 font-semibold underline-offset-2 hover:underline"
              onClick={() => {
                dismiss(id)
                run()
              }}
            >
              {label}
            </button>
          ))}
          <button
            type="button"
            aria-label="Dismiss"
            className="grid size-7 place-content-center rounded-control"
            onClick={() => dismiss(id)}
          >
            <X size={15} />
          </button>
        </div>
      ))}
    </div>
  )
}
