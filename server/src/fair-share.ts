// How a limited number of places is shared out. One party may take all but a reserve. The more of the
// reserve is taken, the fewer places a party may hold to get another one (a dynamic threshold).
export type Holding = {
  /** Places that this party holds already. */
  held: number
  /** Places that all parties hold together. */
  taken: number
  places: number
  /** The last of the places, kept for parties that hold few. */
  reserve: number
}

/** A party that holds nothing finds room until the last place is taken. */
export const hasRoom = ({ held, taken, places, reserve }: Holding) =>
  taken < places - reserve || held < (places - taken) / 4

export const reserveOf = (places: number) => Math.floor(places / 4)
