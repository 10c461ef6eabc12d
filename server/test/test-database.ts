import { inject } from 'vitest'
import { createDatabase } from './databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    server: string
    template: string
  }
}

/** A migrated database for one test file. */
export const testDatabase = () => createDatabase(inject('server'), inject('template'))
