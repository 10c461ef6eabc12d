// The identity of Daywright's events in calendar files.

export const uidOf = (thread: string) => `${thread}@daywright`

/** Whether an event is one of ours. Ours must not count as busy time: the planner would plan around its own plan. */
export const isOwnUid = (uid: string | null) => uid !== null && uid.endsWith('@daywright')
