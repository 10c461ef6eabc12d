/** A change of several records succeeded for some, and could not be reverted for these. */
export class PartlyDone extends Error {
  override readonly name = 'PartlyDone'
  readonly titles: string[]

  constructor(titles: string[], cause: unknown) {
    super('The change failed part-way', { cause })
    this.titles = titles
  }
}
