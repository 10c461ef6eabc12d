import pg from 'pg'
import { ApiError, unavailable } from '../errors.ts'

const sqlState = (error: unknown) => (error instanceof pg.DatabaseError ? error.code : undefined)

// By SQLSTATE, not by constraint name, which the nodes of a cluster change.
const on = (state: string) => (answer: () => ApiError) => (error: unknown) => {
  throw sqlState(error) === state ? answer() : error
}

/**
 * Translates a violated unique key: `.catch(onDuplicate(nameTaken))`. Relying on the key, instead of
 * checking before the write, leaves no race.
 */
export const onDuplicate = on('23505')

/** Translates a violated check constraint. */
export const onCheck = on('23514')

/** Translates a violated foreign key. */
export const onForeignKey = on('23503')

/** A concurrent update changed what this request had read. */
export class ConcurrentUpdate extends Error {}

// A referenced record was deleted meanwhile; a serialization failure; a deadlock.
const passing = new Set(['23503', '40001', '40P01'])

/** Whether the error comes from a concurrent request, so that a retry may succeed. */
export const isTransient = (error: unknown) =>
  error instanceof ConcurrentUpdate || passing.has(sqlState(error) ?? '')

/** Whether data could not be stored because writing them took too long, or they violate a limit of the schema. */
export const isTooLarge = (error: unknown) => /^(57014|23514|54)/.test(sqlState(error) ?? '')

/** Whether PostgreSQL itself failed or timed out, so that the client may retry. */
export const isUnavailable = (error: unknown) =>
  isTransient(error) || /^(08|53|57|55P03|25006|25P0)/.test(sqlState(error) ?? '')

/** Whether the server refuses to write: it has become a standby, or was set to be read-only. */
export const isReadOnly = (error: unknown) => sqlState(error) === '25006'

/** Whether the database cannot be reached, or cannot be written to. */
export const isOutage = (error: unknown) =>
  isReadOnly(error) ||
  (error instanceof ApiError && error.status === 503) ||
  /^(08|53|57P)/.test(sqlState(error) ?? '')

/**
 * An ERROR from PostgreSQL leaves the connection usable; any other failure does not. A read-only server is not usable
 * either: behind a proxy or after a failover, a new connection may reach one that can be written to.
 */
export const isBroken = (error: unknown) =>
  isReadOnly(error) || !(error instanceof pg.DatabaseError && error.severity === 'ERROR')

/** An error that is neither ours nor PostgreSQL's means that the database cannot be reached. */
export function asUnavailable(error: unknown): never {
  if (error instanceof ApiError || error instanceof pg.DatabaseError) throw error
  if (error instanceof TypeError || error instanceof RangeError) throw error // a bug of our own
  throw Object.assign(unavailable(), { cause: error })
}
