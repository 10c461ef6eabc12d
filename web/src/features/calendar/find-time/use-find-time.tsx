import { lazy, Suspense, useState } from 'react'
import { useCommands } from '../../../ui/commands/registry.ts'
import type { Period } from '../use-period.ts'

const FindTimeDialog = lazy(() => import('./find-time-dialog.tsx'))

/** The dialog that finds a time for an appointment, with its command. */
export function useFindTime({ today, zone, reveal }: Period, onBooked: () => void) {
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  useCommands([
    {
      id: 'calendar.find-time',
      title: 'Find a time',
      group: 'Calendar',
      keys: 'f',
      words: 'meeting appointment slot book free',
      run: open,
    },
  ])
  const dialog = isOpen && (
    <Suspense>
      <FindTimeDialog
        today={today}
        zone={zone}
        onChosen={({ startAt }) => reveal(startAt)}
        onBooked={onBooked}
        onClose={() => setOpen(false)}
      />
    </Suspense>
  )
  return { open, dialog }
}
