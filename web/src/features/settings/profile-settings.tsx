import type { Profile } from '@daywright/contract'
import { useState } from 'react'
import { updateProfile } from '../../data/actions/account.ts'
import { fieldErrors, perform } from '../../data/run-mutation.ts'
import { useProfile } from '../../data/profile.ts'
import { useNow } from '../../time/clock.ts'
import { formatTime } from '../../time/format.ts'
import { browserZone } from '../../time/zone.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { useDraft } from '../../ui/use-draft.ts'
import { PasswordForm } from './password-form.tsx'
import { SettingsHead } from './settings-head.tsx'

export function ProfileSettings() {
  const profile = useProfile()
  return (
    <>
      <SettingsHead title="Profile">Your name, email and time zone.</SettingsHead>
      {profile && <ProfileForm profile={profile} />}
      <PasswordForm />
    </>
  )
}

function ProfileForm({ profile }: { profile: Profile }) {
  const [error, setError] = useState<string>()
  const name = useDraft(profile.displayName, (displayName) => void saveName(displayName))
  const now = useNow()
  const here = browserZone()
  const zones = [...new Set([profile.timezone, here, 'UTC', ...Intl.supportedValuesOf('timeZone')])]

  async function saveName(displayName: string) {
    const outcome = await perform(updateProfile(profile, { displayName }, 'Changed your name.'))
    if (outcome.ok) return
    name.type(displayName)
    setError(fieldErrors(outcome.error).displayName)
  }
  const moveTo = (timezone: string) =>
    void perform(updateProfile(profile, { timezone }, `Your time zone is ${formatZone(timezone)}.`))

  return (
    <div className="flex max-w-[420px] flex-col gap-4">
      <TextField
        label="Name"
        value={name.text}
        maxLength={200}
        error={error}
        onChange={({ target }) => {
          name.type(target.value)
          setError(undefined)
        }}
        onBlur={name.finish}
        onKeyDown={name.onKeyDown}
      />
      <TextField label="Email" value={profile.email} readOnly />
      <SelectField
        label="Time zone"
        hint={`It is ${formatTime(now, profile.timezone)} there. Every time you see is in this zone.`}
        value={profile.timezone}
        onChange={({ target }) => moveTo(target.value)}
      >
        {zones.map((zone) => (
          <option key={zone} value={zone}>
            {formatZone(zone)}
          </option>
        ))}
      </SelectField>
      {here !== profile.timezone && (
        <div className="flex flex-wrap items-center gap-2 rounded-control bg-sunken p-3">
          <p className="min-w-44 flex-1 text-ink-2">
            This device’s time zone is {formatZone(here)}. It is {formatTime(now, here)} there.
          </p>
          <Button onClick={() => moveTo(here)}>Switch to {formatZone(here)}</Button>
        </div>
      )}
    </div>
  )
}

const formatZone = (zone: string) => zone.replaceAll('_', ' ')
