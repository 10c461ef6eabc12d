import type { FeedDetail, IssuedFeed } from '@daywright/contract'
import { useState } from 'react'
import { createFeed } from '../../../data/actions/access.ts'
import { fieldErrors, perform } from '../../../data/run-mutation.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'

export const feedDetails: Record<FeedDetail, { name: string; hint: string }> = {
  full: {
    name: 'All details',
    hint: 'Titles, why each block is where it is, and links to your tasks.',
  },
  titles: { name: 'Titles only', hint: 'Titles, without explanations or links.' },
  busy: { name: 'Busy only', hint: 'Times only, every block as “Busy”. Best for sharing.' },
}

type Props = { onIssued: (feed: IssuedFeed) => void; onCancel: () => void }

export function NewFeedForm({ onIssued, onCancel }: Props) {
  const [name, setName] = useState('My plan')
  const [detail, setDetail] = useState<FeedDetail>('full')
  const [errors, setErrors] = useState<Record<string, string | undefined>>({})

  async function issue() {
    const outcome = await perform(createFeed({ name: name.trim(), detail }))
    if (outcome.ok) onIssued(outcome.answer)
    else setErrors(fieldErrors(outcome.error))
  }

  return (
    <form
      className="flex max-w-[460px] flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void issue()
      }}
    >
      <TextField
        label="Calendar name"
        maxLength={100}
        value={name}
        error={errors.name}
        onChange={({ target }) => setName(target.value)}
      />
      <FeedDetailField detail={detail} onChange={setDetail} />
      <div className="flex gap-2">
        <Button type="submit" look="primary" disabled={name.trim() === ''}>
          Create address
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}

type DetailProps = { detail: FeedDetail; onChange: (detail: FeedDetail) => void }

export const FeedDetailField = ({ detail, onChange }: DetailProps) => (
  <div className="flex flex-col gap-1">
    <SelectField
      label="What it shows"
      value={detail}
      onChange={({ target }) => onChange(target.value as FeedDetail)}
    >
      {Object.entries(feedDetails).map(([value, { name }]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </SelectField>
    <p className="text-xs text-ink-3">{feedDetails[detail].hint}</p>
  </div>
)
