import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { Kbd } from './kbd.tsx'

/** `<Menu trigger={<IconButton … />}><MenuItem …/></Menu>` */
export function Menu({ trigger, children }: { trigger: ReactElement; children: ReactNode }) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="start" className="z-50">
          <Base.Popup className="float min-w-44 p-1">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

type ItemProps = {
  icon?: ReactNode
  keys?: string
  isDanger?: boolean
  disabled?: boolean
  onSelect: () => void
  children: ReactNode
}

export function MenuItem({ icon, keys, isDanger, disabled, onSelect, children }: ItemProps) {
  return (
    <Base.Item
      className={`menu-item ${isDanger ? 'text-signal-ink' : ''}`}
      disabled={disabled ?? false}
      onClick={onSelect}
    >
      {icon}
      <span className="flex-1">{children}</span>
      {keys && <Kbd keys={keys} />}
    </Base.Item>
  )
}

export const MenuLine = () => <Base.Separator className="my-1 h-px bg-line" />

export const MenuHeading = ({ children }: { children: ReactNode }) => (
  <div className="px-2 pt-1.5 pb-1 text-2xs font-medium text-ink-3">{children}</div>
)
