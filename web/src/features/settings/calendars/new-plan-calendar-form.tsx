import type { FeedDetail, FoundCalendars } from '@daywright/contract'
import { type SubmitEvent, useState } from 'react'
import { createPlanCalendar } from '../../../data/actions/plan-calendars.ts'
import { perform } from '../../../data/run-mutation.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { AccountError, AccountFields, useDiscovery } from './account-fields.tsx'
import { FeedDetailField } from './new-feed-form.tsx'

type Choice = { url: string; name: string; create?: true }

/** The writable calendars, after a new one if the server says where to create it. */
function choicesOf({ calendars, home }: FoundCalendars): Choice[] {
  const writable = calendars.filter(({ mayWrite }) => mayWrite)
  return home === null ? writable : [newCalendarIn(home, calendars), ...writable]
}

function newCalendarIn(home: string, calendars: Choice[]): Choice {
  const taken = new Set(calendars.map(({ url }) => url))
  const folder = home.endsWith('/') ? home : `${home}/`
  for (let number = 1; ; number += 1) {
    const url = `${folder}daywright${number === 1 ? '' : `-${number}`}/`
    if (!taken.has(url)) return { url, name: 'Daywright', create: true }
  }
}

/** First the account; then which of its calendars shows the plan. */
export function NewPlanCalendarForm({ onDone }: { onDone: () => void }) {
  const [url, setUrl] = useState('')
  const [detail, setDetail] = useState<FeedDetail>('full')
  const [twoWay, setTwoWay] = useState(true)
  const discovery = useDiscovery((found) => setUrl(choicesOf(found)[0]?.url ?? ''))
  const { isLooking, isComplete } = discovery
  const found = discovery.found && choicesOf(discovery.found)

  async function save({ url, name, create }: Choice) {
    const { username, password } = discovery.account
    const optional = { ...(name && { name }), ...(create && { create }) }
    const outcome = await perform(
      createPlanCalendar({ url, username, password, detail, twoWay, ...optional }),
      { isQuiet: true },
    )
    if (outcome.ok) onDone()
    else discovery.setError(outcome.error)
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const chosen = found?.find((each) => each.url === url)
    void (chosen ? save(chosen) : discovery.look())
  }

  return (
    <form className="flex max-w-[460px] flex-col gap-4" onSubmit={submit}>
      <AccountFields discovery={discovery} />
      {found?.length === 0 && (
        <p className="text-ink-2">This account has no calendar that can be changed.</p>
      )}
      {found && found.length > 0 && (
        <>
          <div className="flex flex-col gap-1">
            <SelectField
              label="Calendar"
              value={url}
              onChange={({ target }) => setUrl(target.value)}
            >
              {found.map((each) => (
                <option key={each.url} value={each.url}>
                  {each.create ? 'New calendar “Daywright”' : each.name || 'Untitled'}
                </option>
              ))}
            </SelectField>
            <p className="text-xs text-ink-3">
              A separate calendar is best. Daywright only changes events that it created.
            </p>
          </div>
          <FeedDetailField detail={detail} onChange={setDetail} />
          <Checkbox
            label="When I move an event there, move the block here"
            checked={twoWay}
            onChange={({ target }) => setTwoWay(target.checked)}
          />
        </>
      )}
      <AccountError discovery={discovery} />
      <div className="flex gap-2">
        <Button
          type="submit"
          look="primary"
          disabled={!isComplete || isLooking || found?.length === 0}
        >
          {found ? 'Show my plan there' : isLooking ? 'Looking…' : 'Find calendars'}
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  )
}
