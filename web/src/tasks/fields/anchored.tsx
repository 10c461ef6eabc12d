import { Popover } from '@base-ui/react/popover'
import type { ReactNode } from 'react'

type Props = {
  /** What it hangs on, and where the focus goes back to, or to its row. */
  anchor: HTMLElement
  label: string
  onClose: () => void
  children: ReactNode
}

/** One popover for many places: a list of thousands has not thousands of them. */
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
              // In a list the keys are about its rows.
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
