import { useState } from 'react'
import { api } from '../../data/api.ts'
import { keys } from '../../data/keys.ts'
import { perform } from '../../data/run-mutation.ts'
import { useProfile } from '../../data/profile.ts'
import { useNow } from '../../time/clock.ts'
import { formatDay, formatTime } from '../../time/format.ts'
import { browserZone } from '../../time/zone.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Step } from './step.tsx'

export function YourZone({ onDone }: { onDone: () => void }) {
  const profile = useProfile()
  const [chosen, setChosen] = useState<string>()
  const now = useNow()
  const zone = chosen ?? profile?.timezone ?? browserZone()
  const zones = [...new Set([zone, ...Intl.supportedValuesOf('timeZone')])]

  async function save() {
    const { ok } =
      zone === profile?.timezone
        ? { ok: true }
        : await perform({
            send: () => api.user.update({ timezone: zone }),
            refreshes: [keys.profile],
          })
    if (ok) onDone()
  }

  return (
    <Step
      title="Where are you?"
      lead="Your calendar always uses this time zone."
      action={
        <Button look="primary" size="large" autoFocus onClick={() => void save()}>
          Continue
        </Button>
      }
    >
      <SelectField
        label="Time zone"
        inputSize="large"
        value={zone}
        onChange={({ target }) => setChosen(target.value)}
        hint={`It is ${formatTime(now, zone)} on ${formatDay(now, zone)} there.`}
      >
        {zones.map((name) => (
          <option key={name} value={name}>
            {name.replaceAll('_', ' ')}
          </option>
        ))}
      </SelectField>
    </Step>
  )
}
