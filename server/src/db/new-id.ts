/** Ids are made by the server. Version 7 begins with the millisecond; within one there is no order. */
export { randomUUIDv7 as newId } from 'node:crypto'
