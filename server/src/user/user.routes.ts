import { Profile, ProfileChanges } from '@daywright/contract'
import { errors, type Routes } from '../http/routes.ts'
import { findProfile, updateProfile } from './user.queries.ts'

export const userRoutes: Routes = async (app) => {
  app.get(
    '/api/user',
    {
      schema: {
        operationId: 'findProfile',
        summary: 'My profile',
        response: { 200: Profile, ...errors(404) },
      },
    },
    (request) => findProfile(request.db, request.userId),
  )

  app.patch(
    '/api/user',
    {
      schema: {
        operationId: 'updateProfile',
        summary: 'Change my display name or timezone',
        body: ProfileChanges,
        response: { 200: Profile, ...errors(400, 404) },
      },
    },
    (request) => updateProfile(request.db, request.userId, request.body),
  )
}
