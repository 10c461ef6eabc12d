// The identity of Daywright's events in calendar files.

export const uidOf = (thread: string) => `${thread}@daywright`

const form = /^([\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})@daywright$/i

/** The thread of the block that Daywright has written an event of; undefined for any other event. */
export const threadOf = (uid: string | null) =>
  uid === null ? undefined : form.exec(uid)?.[1]?.toLowerCase()
