/** Ids are made by the server, and in the order they are made: version 7. */
export { randomUUIDv7 as newId } from 'node:crypto'
