// How a limited number of places is shared out. While there are plenty, one party may have all of
// them; then a reserve is left, and the more of it is taken the fewer places a party may hold to get in.
export type Holding = {
  /** Places that this party holds already. */
  held: number
  /** Places that all hold together. */
  taken: number
  places: number
  reserve: number
}

/** A party that holds nothing finds room until the last place of the reserve. */
export const hasRoom = ({ held, taken, places, reserve }: Holding) =>
  taken < places || held < (places + reserve - taken) / 4

export const reserveOf = (places: number) => Math.ceil(places / 4)
