/** A text with some insertions, which has the lines of the one before; offsets in it are known in the one before. */

export interface Edit {
  /** In the text before. */
  readonly at: number
  readonly removed: number
  /** As many line breaks as what is removed. */
  readonly inserted: string
}

export class EditedText {
  readonly before: string
  readonly text: string
  /** By place; of several at one place the first ones come first. */
  readonly #edits: readonly Edit[]

  constructor(before: string, edits: readonly Edit[]) {
    this.before = before
    this.#edits = edits.toSorted((one, other) => one.at - other.at)
    let [text, from] = ['', 0]
    for (const { at, removed, inserted } of this.#edits) {
      text += before.slice(from, at) + inserted
      from = at + removed
    }
    this.text = text + before.slice(from)
  }

  /** Where it was before; what was inserted stands where that begins. */
  offsetBefore(offset: number): number {
    let moved = 0
    for (const { at, removed, inserted } of this.#edits) {
      const begins = at + moved
      if (offset < begins) break
      if (offset < begins + inserted.length) return at
      moved += inserted.length - removed
    }
    return offset - moved
  }
}
