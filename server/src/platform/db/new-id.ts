/** Ids are created by the server. UUIDv7 sorts by millisecond; within a millisecond there is no order. */
export { randomUUIDv7 as newId } from 'node:crypto'
