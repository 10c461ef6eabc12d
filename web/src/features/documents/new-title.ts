// The title of a document that was just added: the letters that were typed before its page was there.
type NewTitle = { id: string; typed: () => string }

let current: NewTitle | undefined

export const setNewTitle = (title: NewTitle | undefined) => void (current = title)

/** The letters typed so far; undefined if the document was not just added. */
export const newTitleOf = (id: string) => (current?.id === id ? current.typed() : undefined)
