import type { ConnectedAccount, ConnectedAccountKind } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import {
  addAccountCalendars,
  connectAccount,
  disconnectAccount,
} from '../../../data/actions/connected-accounts.ts'
import { api } from '../../../data/api.ts'
import { queries } from '../../../data/queries.ts'
import { describeFailedChange, perform } from '../../../data/run-mutation.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmButton } from '../confirm-button.tsx'
import { ChooseCalendars, labelOfAdd } from './choose-calendars.tsx'
import { providerNames } from './provider-names.ts'

const route = getRouteApi('/app/settings/calendars')

/** A button for each provider with which the operator has registered this server. */
export function ConnectButtons() {
  const { data } = useQuery(queries.connectedAccounts())
  const [error, setError] = useState<unknown>()
  async function begin(kind: ConnectedAccountKind) {
    setError(undefined)
    try {
      const { url } = await api.connectedAccounts.authorize(kind)
      location.assign(url)
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <>
      {data?.kinds.map((kind) => (
        <Button key={kind} onClick={() => void begin(kind)}>
          Connect {providerNames[kind]} account
        </Button>
      ))}
      {error !== undefined && (
        <p className="w-full text-xs text-signal-ink">{describeFailedChange(error)}</p>
      )}
    </>
  )
}

export function ConnectedAccounts() {
  const { data } = useQuery(queries.connectedAccounts())
  const { choose } = route.useSearch()
  const navigate = useNavigate()
  const { error, isConnecting } = useReturn()
  const show = (id: string | undefined) =>
    void navigate({ to: '/settings/calendars', search: id === undefined ? {} : { choose: id } })
  return (
    <>
      {isConnecting && <p className="mt-4 text-ink-2">Connecting the account…</p>}
      {error !== undefined && <p className="mt-4 text-signal-ink">{error}</p>}
      <ul className="mt-4">
        {data?.accounts.map((account) => (
          <li
            key={account.id}
            className="border-b py-3"
            aria-label={account.email || providerNames[account.kind]}
          >
            <div className="flex flex-wrap items-center gap-1.5">
              <p className="min-w-0 flex-1 truncate">
                {providerNames[account.kind]} account{' '}
                <span className="font-medium">{account.email}</span>
              </p>
              {choose !== account.id && (
                <Button onClick={() => show(account.id)}>Choose calendars</Button>
              )}
              <ConfirmButton
                label={`Disconnect ${account.email}`}
                question="Disconnect and remove its calendars?"
                onConfirm={() => void perform(disconnectAccount(account))}
              >
                Disconnect
              </ConfirmButton>
            </div>
            {choose === account.id && (
              <ChooseForm account={account} onDone={() => show(undefined)} />
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Handles the redirect back from a provider, with a code or an error in the URL. */
function useReturn() {
  const { code, state, error } = route.useSearch()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<string>()
  const taken = useRef<string>(undefined)
  useEffect(() => {
    if (error !== undefined) {
      setFailure('The account was not connected: access was not allowed.')
      void navigate({ to: '/settings/calendars', search: {}, replace: true })
    }
    // A code can be used once, and an effect may run twice.
    if (code === undefined || state === undefined || taken.current === code) return
    taken.current = code
    void perform(connectAccount({ code, state }), { isQuiet: true }).then((outcome) => {
      if (!outcome.ok) setFailure(describeFailedChange(outcome.error))
      const search = outcome.ok ? { choose: outcome.answer.id } : {}
      return navigate({ to: '/settings/calendars', search, replace: true })
    })
  }, [code, state, error, navigate])
  return { error: failure, isConnecting: code !== undefined }
}

function ChooseForm({ account, onDone }: { account: ConnectedAccount; onDone: () => void }) {
  const { data, error: loading } = useQuery(queries.accountCalendars(account.id))
  const { data: calendars = [] } = useQuery(queries.calendars())
  const [chosen, setChosen] = useState<Set<string>>(new Set())
  const [error, setError] = useState<unknown>()
  const added = calendars.filter(({ accountId }) => accountId === account.id).length
  const failure = error ?? loading

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    const found = data?.calendars.filter(({ url }) => chosen.has(url)) ?? []
    const outcome = await perform(addAccountCalendars(account.id, found), { isQuiet: true })
    if (outcome.ok) onDone()
    else setError(outcome.error)
  }

  return (
    <form
      className="mt-3 flex max-w-[460px] flex-col gap-4"
      onSubmit={(event) => void submit(event)}
    >
      {added > 0 && (
        <p className="text-xs text-ink-3">
          {added === 1 ? '1 calendar has' : `${added} calendars have`} already been added.
        </p>
      )}
      {data && <ChooseCalendars found={data.calendars} chosen={chosen} onChange={setChosen} />}
      {!data && failure == null && <p className="text-ink-2">Looking…</p>}
      {failure != null && (
        <p className="text-xs text-signal-ink">{describeFailedChange(failure)}</p>
      )}
      <div className="flex gap-2">
        <Button type="submit" look="primary" disabled={chosen.size === 0}>
          {labelOfAdd(chosen.size)}
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  )
}
