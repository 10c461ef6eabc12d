import { Settings, SettingsChanges } from '@daywright/contract'
import { errors, type Routes } from '../../platform/http/routes.ts'
import { findSettings, updateSettings } from './settings.queries.ts'

export const settingsRoutes: Routes = async (app, { write }) => {
  app.get(
    '/api/settings',
    {
      schema: {
        operationId: 'findSettings',
        summary: 'What Daywright does for me automatically',
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
        summary: 'Change what Daywright does for me automatically, and when',
        body: SettingsChanges,
        response: { 200: Settings, ...errors(400) },
      },
    },
    (request) => updateSettings(request.db, request.userId, request.body),
  )
}
