import pg from 'pg'
import { ApiError } from '../errors.ts'

const sqlState = (error: unknown) => (error instanceof pg.DatabaseError ? error.code : undefined)

// The SQLSTATE is asked, not the constraint's name, which a cluster's nodes alter.
const on = (state: string) => (answer: () => ApiError) => (error: unknown) => {
  throw sqlState(error) === state ? answer() : error
}

/**
 * Says in the API's words what a unique key refused: `.catch(onDuplicate(nameTaken))`. Asking the
 * key, instead of looking before writing, leaves no gap for a concurrent request.
 */
export const onDuplicate = on('23505')

/** The same for a check. */
export const onCheck = on('23514')

/** The same for a reference to what is not there. */
export const onForeignKey = on('23503')

/** Another request got there first: what this one had read is no longer so. */
export class Overtaken extends Error {}

// A record that the statement saw was gone by its end; a serialization failure; a deadlock.
const passing = new Set(['23503', '40001', '40P01'])

/** True of what another request did at the same moment, and what a second try will see. */
export const isPassing = (error: unknown) =>
  error instanceof Overtaken || passing.has(sqlState(error) ?? '')

/** True where PostgreSQL itself is in trouble, or had no time: the request may come again. */
export const isUnavailable = (error: unknown) =>
  isPassing(error) || /^(08|53|57|55P03|25006|25P0)/.test(sqlState(error) ?? '')

/** True where the database is out of reach, whatever it is asked. */
export const isAway = (error: unknown) =>
  (error instanceof ApiError && error.status === 503) || /^(08|53|57P)/.test(sqlState(error) ?? '')
