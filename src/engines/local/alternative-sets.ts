/**
 * A few sets of messages, at least one of which was sent in every execution that leads somewhere. None is within another: what
 * asks for less is all that matters. Where there are too many, the two that have most in common are replaced by what they have in
 * common; that asks for less than is needed, so that nothing possible is refused.
 */
import { type BitSet, intersectionOf, isWithin, sizeOf } from '../../collections/bit-set.ts'

const mostAlternatives = 8
/** After so many changes what is common to all takes their place: it settles sooner. */
const mostChanges = 60

export interface Alternative {
  readonly sent: BitSet
  /** What no execution has sent as well. */
  readonly excluded: BitSet
}

export class AlternativeSets {
  /** Invariant: none is weaker than another. Replaced, never changed in place: readers may keep the list while they add. */
  all: readonly Alternative[] = []
  #changes = 0

  /** False if it asks for no less than one that is known, and excludes no less. */
  add(alternative: Alternative): boolean {
    if (this.all.some((known) => isWeaker(known, alternative))) return false
    this.all = [...this.all.filter((known) => !isWeaker(alternative, known)), alternative]
    const most = ++this.#changes > mostChanges ? 1 : mostAlternatives
    while (this.all.length > most) this.all = withoutMostAlike(this.all)
    return true
  }
}

function withoutMostAlike(all: readonly Alternative[]): readonly Alternative[] {
  let best = { left: all[0] as Alternative, right: all[1] as Alternative, size: -1 }
  for (const [at, left] of all.entries())
    for (const right of all.slice(at + 1)) {
      const size = sizeOf(intersectionOf(left.sent, right.sent))
      if (size > best.size) best = { left, right, size }
    }
  const { left, right } = best
  const common = {
    sent: intersectionOf(left.sent, right.sent),
    excluded: intersectionOf(left.excluded, right.excluded),
  }
  return [...all.filter((known) => !isWeaker(common, known)), common]
}

/** What two have in common excludes more than what it asks for does by itself: both must be less. */
function isWeaker(left: Alternative, right: Alternative): boolean {
  return isWithin(left.sent, right.sent) && isWithin(left.excluded, right.excluded)
}
