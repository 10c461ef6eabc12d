/** A change of several records went through for some of them, and could not be taken back for these. */
export class PartlyDone extends Error {
  override readonly name = 'PartlyDone'
  readonly titles: string[]

  constructor(titles: string[], cause: unknown) {
    super('The change failed part-way', { cause })
    this.titles = titles
  }
}
