import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { IconButton } from './button.tsx'

type Props = {
  title: string
  isTitleHidden?: boolean
  isOpen: boolean
  /** Without it the dialog cannot be dismissed. */
  onClose?: () => void
  className?: string
  children: ReactNode
}

export function Dialog({ title, isTitleHidden, isOpen, onClose, className = '', children }: Props) {
  const popup = useRef<HTMLDivElement>(null)
  /** The first field, so that typing goes there and not to the Close button. By touch it would open the keyboard. */
  function findFocus(openedBy: string) {
    if (popup.current?.contains(document.activeElement)) return false
    if (openedBy === 'touch') return true
    return popup.current?.querySelector<HTMLElement>('input, select, textarea') ?? true
  }
  return (
    <Base.Root open={isOpen} onOpenChange={(open: boolean) => !open && onClose?.()}>
      <Base.Portal>
        <Base.Backdrop className="dialog-scrim" />
        <Base.Popup ref={popup} initialFocus={findFocus} className={`dialog ${className}`}>
          <div className={isTitleHidden ? 'sr-only' : 'flex items-center gap-2 px-4 pt-3 pb-2'}>
            <Base.Title className="flex-1 text-base font-semibold">{title}</Base.Title>
            {!isTitleHidden && onClose && (
              <IconButton label="Close" icon={<X size={16} />} onClick={onClose} />
            )}
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
