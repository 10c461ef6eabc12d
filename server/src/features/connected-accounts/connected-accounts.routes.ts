import {
  AccountAuthorization,
  NewAccountAuthorization,
  AccountCalendars,
  ConnectedAccount,
  ConnectedAccounts,
  NewConnectedAccount,
  PathId,
  Success,
} from '@daywright/contract'
import { unprocessable } from '../../platform/errors.ts'
import { errors, type Routes, success } from '../../platform/http/routes.ts'
import { createRunQueue } from '../../platform/http/run-queue.ts'
import { queueIn, retry } from '../../platform/http/wrap-handler.ts'
import { describeDavFailure, storableName } from '../calendars/caldav.ts'
import type { Reader } from '../calendars/reader.ts'
import { accessAccount, revokeAccess } from './access.ts'
import { authorizeAccount, connectAccount, type Connecting } from './authorize.ts'
import {
  accountNotFound,
  deleteAccount,
  findAccount,
  listAccounts,
} from './connected-accounts.queries.ts'
import { askAs, describeProviderFailure, type ReadAnswer } from './provider.ts'
import type { ProviderKind } from './providers.ts'

// Requires a session: the access to the account may outlast an API key.
const config = { sessionOnly: true }
const queueLimits = { atOnce: 20, waitingPerUser: 2, waitingInAll: 100 }

/** `publicOrigin` is where users reach this server; without it, the origin of the request is used. */
export const connectedAccountRoutes =
  (
    connecting: Omit<Connecting, 'now'> & { reader: Reader },
    publicOrigin: string | undefined,
  ): Routes =>
  async (app, { now, write, writeInOwnTransaction }) => {
    const queue = queueIn(createRunQueue(queueLimits))
    const { providers, request: send, seal, reader } = connecting

    app.get(
      '/api/connected-accounts',
      {
        config,
        schema: {
          operationId: 'listConnectedAccounts',
          summary: 'My connected accounts, and the kinds of accounts that this server can connect',
          response: { 200: ConnectedAccounts },
        },
      },
      ({ db, userId }) => listAccounts(db, userId, Object.keys(providers) as ProviderKind[]),
    )

    write(app).post(
      '/api/connected-accounts/authorize',
      {
        // The URL contains the state that the provider sends back.
        config: { ...config, secretAnswer: true },
        schema: {
          operationId: 'authorizeConnectedAccount',
          summary: 'The page where I can allow access to an account; nothing is stored',
          body: NewAccountAuthorization,
          response: { 200: AccountAuthorization, ...errors(400) },
        },
      },
      ({ userId, body, headers, protocol, host }) => {
        const origin = publicOrigin ?? headers.origin ?? `${protocol}://${host}`
        return authorizeAccount({ ...connecting, now }, userId, body.kind, origin)
      },
    )

    // No connection is held while the provider is asked.
    writeInOwnTransaction(queue(app)).post(
      '/api/connected-accounts',
      {
        config: { ...config, security: 'account-connected' },
        schema: {
          operationId: 'createConnectedAccount',
          summary: 'Connect an account after access to it was allowed',
          body: NewConnectedAccount,
          response: { 201: ConnectedAccount, ...errors(400, 409, 422) },
        },
      },
      ({ db, userId, body }, reply) => {
        reply.code(201)
        return connectAccount({ ...connecting, now }, db, userId, body)
      },
    )

    queue(app).get(
      '/api/connected-accounts/:id/calendars',
      {
        config,
        schema: {
          operationId: 'listAccountCalendars',
          summary: 'The calendars of a connected account',
          params: PathId,
          response: { 200: AccountCalendars, ...errors(404, 422) },
        },
      },
      async ({ db, userId, params: { id } }) => {
        const account = await findAccount(db, userId, id)
        if (!account) throw accountNotFound()
        try {
          const accessing = { db, request: send, seal, providers, now }
          const { provider, accessToken } = await accessAccount(accessing, userId, account)
          const readAnswer: ReadAnswer = (name, content, mostBytes) =>
            reader.readAnswer({ userId, name: 'account' }, name, content, mostBytes)
          const found = await provider.listCalendars(askAs(send, { accessToken, readAnswer }))
          return {
            calendars: found.map((each) => ({ ...each, name: storableName(each.name) })),
          }
        } catch (error) {
          const failure = describeProviderFailure(error) ?? describeDavFailure(error)
          throw failure ? unprocessable(failure.error) : error
        }
      },
    )

    retry(queue(app)).delete(
      '/api/connected-accounts/:id',
      {
        config: { ...config, security: 'account-disconnected' },
        schema: {
          operationId: 'deleteConnectedAccount',
          summary: 'Disconnect an account, revoke the access, and remove its calendars',
          params: PathId,
          response: { 200: Success, ...errors(404) },
        },
      },
      async ({ db, userId, params }) => {
        const account = await findAccount(db, userId, params.id)
        await deleteAccount(db, userId, params.id)
        if (account) await revokeAccess(connecting, account)
        return success
      },
    )
  }
