import { Profile, ProfileChanges } from '@daywright/contract'
import { badRequest } from '../../platform/errors.ts'
import { errors, type Routes } from '../../platform/http/routes.ts'
import { findProfile, nothingToUpdate, updateProfile } from './user.queries.ts'

export const userRoutes: Routes = async (app, { write }) => {
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

  write(app).patch(
    '/api/user',
    {
      // Fastify passes an absent body to the validation as null, which is valid JSON.
      preValidation: (request, _reply, done) =>
        done(request.body === undefined ? badRequest('Invalid JSON') : undefined),
      validatorCompiler: () => judgeProfileChanges,
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

/** The contract names every 400 of this endpoint, and `Validation failed` is not one of them. */
function judgeProfileChanges(body: unknown) {
  const { success, data: value } = ProfileChanges.safeParse(body)
  return success ? { value } : { error: nothingToUpdate() }
}
