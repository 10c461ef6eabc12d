import { Settings, SettingsChanges } from '@daywright/contract'
import { errors, type Routes } from '../../platform/http/routes.ts'
import { findSettings, updateSettings } from './settings.queries.ts'

export const settingsRoutes: Routes = async (app, { write }) => {
  app.get(
    '/api/settings',
    {
      schema: {
        operationId: 'findSettings',
        summary: 'My settings: how Daywright plans, and what it does automatically',
        response: { 200: Settings },
      },
    },
    (request) => findSettings(request.db, request.userId),
  )

  write(app).patch(
    '/api/settings',
    {
      schema: {
        operationId: 'updateSettings',
        summary: 'Change my settings; `planning` is merged key by key',
        body: SettingsChanges,
        response: { 200: Settings, ...errors(400) },
      },
    },
    (request) => updateSettings(request.db, request.userId, request.body),
  )
}
