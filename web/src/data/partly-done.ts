/** A change of several records failed part-way. `titles` names the records that may still be changed. */
export class PartlyDone extends Error {
  override readonly name = 'PartlyDone'
  readonly titles: string[]

  constructor(titles: string[], cause: unknown) {
    super('The change failed part-way', { cause })
    this.titles = titles
  }
}
