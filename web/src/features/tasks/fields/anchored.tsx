import { Popover } from '@base-ui/react/popover'
import type { ReactNode } from 'react'

type Props = {
  /** The element at which the popover is positioned, and to which the focus returns. */
  anchor: HTMLElement
  label: string
  onClose: () => void
  children: ReactNode
}

/** One popover shared by all rows, instead of one for each of thousands. */
export function Anchored({ anchor, label, onClose, children }: Props) {
  return (
    <Popover.Root open onOpenChange={(isOpen: boolean) => !isOpen && onClose()}>
      <Popover.Portal>
        <Popover.Positioner
          anchor={anchor}
          sideOffset={4}
          align="start"
          collisionPadding={8}
          className="z-50"
        >
          <Popover.Popup
            aria-label={label}
            finalFocus={() => {
              // In a list the focus returns to the row.
              const row = anchor.closest<HTMLElement>('[data-task]') ?? anchor
              return row.isConnected ? row : true
            }}
            className="float max-w-[calc(100vw-16px)] p-1"
          >
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
