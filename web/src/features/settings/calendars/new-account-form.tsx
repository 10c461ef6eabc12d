import { type SubmitEvent, useState } from 'react'
import { addCalendarsOf } from '../../../data/actions/calendars.ts'
import { perform } from '../../../data/run-mutation.ts'
import { Button } from '../../../ui/button.tsx'
import { AccountError, AccountFields, type FoundCalendar, useDiscovery } from './account-fields.tsx'
import { ChooseCalendars, labelOfAdd } from './choose-calendars.tsx'

/** First the account; then which of its calendars to add. */
export function NewAccountForm({ onDone }: { onDone: () => void }) {
  const [chosen, setChosen] = useState<Set<string>>(new Set())
  const discovery = useDiscovery(({ calendars }) =>
    setChosen(new Set(calendars.map(({ url }) => url))),
  )
  const { isLooking, isComplete } = discovery
  const found = discovery.found?.calendars

  async function add(calendars: FoundCalendar[]) {
    const outcome = await perform(addCalendarsOf(discovery.account, calendars), { isQuiet: true })
    if (outcome.ok) onDone()
    else discovery.setError(outcome.error)
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    void (found ? add(found.filter(({ url }) => chosen.has(url))) : discovery.look())
  }

  return (
    <form className="flex max-w-[460px] flex-col gap-4" onSubmit={submit}>
      <AccountFields discovery={discovery} />
      {found && <ChooseCalendars found={found} chosen={chosen} onChange={setChosen} />}
      <AccountError discovery={discovery} />
      <div className="flex gap-2">
        <Button
          type="submit"
          look="primary"
          disabled={!isComplete || isLooking || (found !== undefined && chosen.size === 0)}
        >
          {found ? labelOfAdd(chosen.size) : isLooking ? 'Looking…' : 'Find calendars'}
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  )
}
