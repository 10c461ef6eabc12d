// How a limited number of places is shared out. One party may have all of them while others need none.
// Where others hold places, a party may hold fewer the more are taken (a dynamic threshold), and a
// reserve is left for parties that hold little.
export type Holding = {
  /** Places that this party holds already. */
  held: number
  /** Places that all parties hold together. */
  taken: number
  places: number
  reserve: number
}

/** A party that holds nothing finds room until the last place of the reserve is taken. */
export const hasRoom = ({ held, taken, places, reserve }: Holding) =>
  held < Math.max(places - 2 * (taken - held), (places + reserve - taken) / 6)

export const reserveOf = (places: number) => Math.ceil(places / 2)
