import { Checkbox } from '../../../ui/checkbox.tsx'

type Props = {
  found: { url: string; name: string }[]
  chosen: Set<string>
  onChange: (chosen: Set<string>) => void
}

/** Which calendars of an account to add. */
export function ChooseCalendars({ found, chosen, onChange }: Props) {
  if (found.length === 0) return <p className="text-ink-2">This account has no calendars.</p>
  return (
    <fieldset className="flex flex-col gap-1.5 rounded border p-3">
      <legend className="text-xs font-medium text-ink-2">Calendars of this account</legend>
      {found.map(({ url, name }) => (
        <Checkbox
          key={url}
          label={name || 'Untitled'}
          checked={chosen.has(url)}
          onChange={({ target }) =>
            onChange(
              target.checked ? chosen.union(new Set([url])) : chosen.difference(new Set([url])),
            )
          }
        />
      ))}
    </fieldset>
  )
}

export const labelOfAdd = (count: number) =>
  count === 1 ? 'Add 1 calendar' : `Add ${count} calendars`
