import type { CalendarAccount, FoundCalendars } from '@daywright/contract'
import { useState } from 'react'
import { api } from '../../../data/api.ts'
import { describeFailedChange, fieldErrors } from '../../../data/run-mutation.ts'
import { TextField } from '../../../ui/field.tsx'

export type FoundCalendar = FoundCalendars['calendars'][number]

export type Discovery = ReturnType<typeof useDiscovery>

/** An account at a CalDAV server as it is typed, and the calendars found in it. */
export function useDiscovery(onFound: (found: FoundCalendars) => void) {
  const [typed, setTyped] = useState({ url: '', username: '', password: '' })
  const [found, setFound] = useState<FoundCalendars>()
  const [isLooking, setLooking] = useState(false)
  const [error, setError] = useState<unknown>()

  function type(name: keyof typeof typed, value: string) {
    setTyped({ ...typed, [name]: value })
    setFound(undefined)
  }

  async function look() {
    setLooking(true)
    setError(undefined)
    try {
      const answer = await api.calendars.discover(trimmed(typed))
      setFound(answer)
      onFound(answer)
    } catch (failure) {
      setError(failure)
    } finally {
      setLooking(false)
    }
  }

  const isComplete = Object.values(typed).every((value) => value.trim() !== '')
  return {
    typed,
    type,
    account: trimmed(typed),
    found,
    look,
    isLooking,
    isComplete,
    error,
    setError,
  }
}

/** The account without surrounding spaces, and with https:// before a bare host name. */
const trimmed = ({ url, username, password }: CalendarAccount): CalendarAccount => ({
  url: /^https?:/i.test(url.trim()) ? url.trim() : `https://${url.trim()}`,
  username: username.trim(),
  password,
})

export function AccountFields({ discovery: { typed, type, error } }: { discovery: Discovery }) {
  const errors = fieldErrors(error)
  const field = (name: keyof typeof typed) => ({
    value: typed[name],
    error: errors[name],
    required: true,
    onChange: ({ target }: { target: { value: string } }) => type(name, target.value),
  })
  return (
    <>
      <TextField
        label="Server"
        placeholder="https://caldav.icloud.com"
        hint="iCloud, Fastmail, Nextcloud, mailbox.org, Posteo, Radicale and others offer CalDAV."
        {...field('url')}
      />
      <TextField label="User name" autoComplete="off" {...field('username')} />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        hint="It is stored encrypted. iCloud and Fastmail need an app password."
        {...field('password')}
      />
    </>
  )
}

export function AccountError({ discovery: { error } }: { discovery: Discovery }) {
  if (error === undefined || Object.keys(fieldErrors(error)).length > 0) return null
  return <p className="text-xs text-signal-ink">{describeFailedChange(error)}</p>
}
