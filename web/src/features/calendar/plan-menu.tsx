import { ChevronDown } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'

type Props = { isBusy: boolean; onPlanFromScratch: () => void; onFindTime: () => void }

/** Loaded after the calendar, because the menu would be a quarter of the code of the first screen. */
export default function PlanMenu({ isBusy, onPlanFromScratch, onFindTime }: Props) {
  return (
    <Menu
      trigger={
        <IconButton look="plain" label="More ways to plan" icon={<ChevronDown size={15} />} />
      }
    >
      <MenuItem keys="shift+p" disabled={isBusy} onSelect={onPlanFromScratch}>
        Plan from scratch
      </MenuItem>
      <MenuItem keys="f" onSelect={onFindTime}>
        Find a time
      </MenuItem>
    </Menu>
  )
}
