// Shares a limited number of slots between parties. One party may have all of them while others need none.
// Where others hold slots, a party may hold fewer the more are taken (a dynamic threshold), and a reserve
// is left for parties that hold few.
export type Holding = {
  /** Slots that this party holds already. */
  held: number
  /** Slots that all parties hold together. */
  taken: number
  places: number
  reserve: number
}

/** A party that holds nothing is admitted until the last slot of the reserve is taken. */
export const hasRoom = ({ held, taken, places, reserve }: Holding) =>
  held < Math.max(places - 2 * (taken - held), (places + reserve - taken) / 6)

export const reserveOf = (places: number) => Math.ceil(places / 2)
