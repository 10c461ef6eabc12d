import {
  Account,
  AccountChanges,
  AccountPage,
  CalendarInQuarantine,
  PageQuery,
  PathId,
  Usage,
} from '@daywright/contract'
import { z } from 'zod'
import { badRequest } from '../../platform/errors.ts'
import { errors, type Routes } from '../../platform/http/routes.ts'
import { findUsage } from '../usage/usage.queries.ts'
import { listAccounts, listQuarantine, updateAccount } from './admin.queries.ts'
import { requireAdmin } from './require-admin.ts'

const config = { sessionOnly: true }

export const adminRoutes: Routes = async (app, { now, callers, write }) => {
  app.addHook('preValidation', async (request) => requireAdmin(request))

  app.get(
    '/api/admin/users',
    {
      config,
      schema: {
        operationId: 'listAccounts',
        summary: 'The accounts of this instance, in the order of their creation; for admins',
        querystring: PageQuery,
        response: { 200: AccountPage, ...errors(400, 404) },
      },
    },
    (request) => listAccounts(request.db, request.query),
  )

  app.get(
    '/api/admin/users/:id/usage',
    {
      config,
      schema: {
        operationId: 'findUsageOfAccount',
        summary: 'The usage and limits of a user; for admins',
        params: PathId,
        response: { 200: Usage, ...errors(404) },
      },
    },
    (request) => findUsage(request.db, request.params.id),
  )

  app.get(
    '/api/admin/quarantine',
    {
      config,
      schema: {
        operationId: 'listQuarantine',
        summary:
          'The calendars that ended the service or a reader when they were read, and are read again only later; for admins',
        response: { 200: z.array(CalendarInQuarantine), ...errors(404) },
      },
    },
    (request) => listQuarantine(request.db),
  )

  write(app).patch(
    '/api/admin/users/:id',
    {
      config: { ...config, security: 'account-changed' },
      schema: {
        operationId: 'updateAccount',
        summary:
          'Change the role of a user, disable the account, or stop its background jobs; for admins',
        params: PathId,
        body: AccountChanges,
        response: { 200: Account, ...errors(400, 404) },
      },
    },
    async (request) => {
      const { id } = request.params
      request.security = { accountId: id, ...request.body }
      // Otherwise an instance could be left without an admin.
      if (id.toLowerCase() === request.userId)
        throw badRequest('You cannot change your own account')
      const updated = await updateAccount(request.db, request.userId, id, request.body, now())
      callers.forget(id.toLowerCase())
      return updated
    },
  )
}
