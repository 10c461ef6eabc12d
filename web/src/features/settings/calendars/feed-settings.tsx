import type { Feed, IssuedFeed } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { revokeFeed } from '../../../data/actions/access.ts'
import { useZone } from '../../../data/profile.ts'
import { queries } from '../../../data/queries.ts'
import { perform } from '../../../data/run-mutation.ts'
import { useNow } from '../../../time/clock.ts'
import { formatWhenInText } from '../../../time/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmButton } from '../confirm-button.tsx'
import { ShownOnce } from '../shown-once.tsx'
import { feedDetails, NewFeedForm } from './new-feed-form.tsx'

/** Addresses at which other calendar apps read the plan. */
export function FeedSettings() {
  const { data: feeds, isError } = useQuery(queries.feeds())
  const [issued, setIssued] = useState<IssuedFeed>()
  const [isAdding, setAdding] = useState(false)
  return (
    <section aria-labelledby="feeds" className="mt-10">
      <header className="mb-4">
        <h2 id="feeds" className="text-lg font-semibold">
          Your plan in other calendars
        </h2>
        <p className="mt-1 max-w-[60ch] text-ink-2">
          Create a private address and subscribe to it in Google Calendar, Apple Calendar, Outlook
          or Thunderbird. The address works like a password: anyone who has it can see your plan
          until you revoke it.
        </p>
      </header>
      {issued && <FeedAddress feed={issued} onDone={() => setIssued(undefined)} />}
      {isAdding ? (
        <NewFeedForm
          onCancel={() => setAdding(false)}
          onIssued={(feed) => {
            setIssued(feed)
            setAdding(false)
          }}
        />
      ) : (
        <Button onClick={() => setAdding(true)}>Create address</Button>
      )}
      {isError && <p className="mt-4 text-signal-ink">The addresses could not be loaded.</p>}
      <ul className="mt-4">
        {feeds?.map((feed) => (
          <Row key={feed.id} feed={feed} />
        ))}
      </ul>
    </section>
  )
}

const FeedAddress = ({ feed, onDone }: { feed: IssuedFeed; onDone: () => void }) => (
  <>
    <ShownOnce
      key={feed.id}
      title={`The address of “${feed.name}”`}
      secret={new URL(feed.path, location.origin).href}
      onDone={onDone}
    />
    <p className="-mt-3 mb-6 max-w-[60ch] text-xs text-ink-3">
      In your calendar app, add a calendar by URL and paste the address. The app decides how often
      it checks for changes: Apple Calendar and Thunderbird as often as you choose, Outlook every
      few hours, Google Calendar within a day.
    </p>
  </>
)

function Row({ feed }: { feed: Feed }) {
  const zone = useZone()
  const now = useNow()
  return (
    <li
      aria-label={feed.name}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b py-2.5"
    >
      <div className="min-w-48 flex-1">
        <p className="font-medium">{feed.name}</p>
        <p className="text-xs text-ink-3 tabular">
          {feed.lastReadAt
            ? `Read ${formatWhenInText(feed.lastReadAt, zone, now)}`
            : 'Not read yet'}
        </p>
      </div>
      <Badge>{feedDetails[feed.detail].name}</Badge>
      <ConfirmButton
        label={`Revoke the address “${feed.name}”`}
        question="Revoke permanently?"
        onConfirm={() => void perform(revokeFeed(feed))}
      >
        Revoke
      </ConfirmButton>
    </li>
  )
}
