// The identity of Daywright's events in calendar files.

export const uidOf = (thread: string) => `${thread}@daywright`

/** Such an event came from a feed. It must not come back as busy time: the planner would plan around its own plan. */
export const isOwnUid = (uid: string | null) => uid !== null && uid.endsWith('@daywright')
