/**
 * A search tree with keys in its leaves that is changed by compare-and-set only (Ellen, Fatourou, Ruppert, van Breugel:
 * "Non-blocking Binary Search Trees", PODC 2010, Figures 7–9).
 *
 * Whoever changes an inner element first writes there what it is up to, so that others can finish it. Two departures: an
 * operation remembers the edge it is going to change instead of choosing it again by key, so that one infinite key is
 * enough; and every `clean` is a new object, which is what the paper keeps the last operation for.
 */
import { Atomic } from 'allways/sync'

export class Leaf {
  readonly kind = 'leaf'
  readonly key: number

  constructor(key: number) {
    this.key = key
  }
}

/** Keys below `key` are on the left, others on the right. */
export class Inner {
  readonly kind = 'inner'
  readonly key: number
  readonly left: Atomic<Leaf | Inner>
  readonly right: Atomic<Leaf | Inner>
  readonly update: Atomic<Update>

  constructor(key: number, left: Leaf, right: Leaf) {
    this.key = key
    this.left = new Atomic<Leaf | Inner>(left)
    this.right = new Atomic<Leaf | Inner>(right)
    this.update = new Atomic<Update>({ kind: 'clean' })
  }
}

type Edge = Atomic<Leaf | Inner>

/** What somebody is doing at an inner element; a mark is for ever. */
export type Update = { readonly kind: 'clean' } | Insertion | Deletion | Mark

interface Insertion {
  readonly kind: 'insertion'
  readonly parent: Inner
  readonly edge: Edge
  readonly leaf: Leaf
  readonly replacement: Inner
}

export interface Deletion {
  readonly kind: 'deletion'
  readonly grandparent: Inner
  readonly edge: Edge
  readonly parent: Inner
  /** The deletion gives up if the parent's update is another by the time it comes to mark it. */
  readonly parentUpdate: Update
  readonly leaf: Leaf
}

interface Mark {
  readonly kind: 'mark'
  readonly deletion: Deletion
}

/** Where a search has ended, and what it has seen the last two inner elements be up to. */
interface Place {
  readonly grandparent: Inner
  readonly grandparentUpdate: Update
  readonly parentEdge: Edge
  readonly parent: Inner
  readonly parentUpdate: Update
  readonly leafEdge: Edge
  readonly leaf: Leaf
}

export class CasTreeSet {
  /** Its right child is never looked at. Finite keys are at least two levels below. */
  protected readonly root = new Inner(Infinity, new Leaf(Infinity), new Leaf(Infinity))

  add(key: number): boolean {
    for (;;) {
      const place = this.search(key)
      if (place.leaf.key === key) {
        return false
      }
      if (place.parentUpdate.kind !== 'clean') {
        this.help(place.parentUpdate)
        continue
      }
      const insertion = insertionOf(key, place)
      if (place.parent.update.compareAndSet(place.parentUpdate, insertion)) {
        this.helpInsertion(insertion)
        return true
      }
      this.help(place.parent.update.load())
    }
  }

  remove(key: number): boolean {
    for (;;) {
      const place = this.search(key)
      if (place.leaf.key !== key) {
        return false
      }
      if (place.grandparentUpdate.kind !== 'clean') {
        this.help(place.grandparentUpdate)
        continue
      }
      if (place.parentUpdate.kind !== 'clean') {
        this.help(place.parentUpdate)
        continue
      }
      const deletion = deletionOf(place)
      if (place.grandparent.update.compareAndSet(place.grandparentUpdate, deletion)) {
        if (this.helpDeletion(deletion)) {
          return true
        }
      } else {
        this.help(place.grandparent.update.load())
      }
    }
  }

  contains(key: number): boolean {
    return this.search(key).leaf.key === key
  }

  protected search(key: number): Place {
    let parent = this.root
    let parentUpdate = parent.update.load()
    let leafEdge = parent.left
    let child = leafEdge.load()
    let grandparent = parent
    let grandparentUpdate = parentUpdate
    let parentEdge = leafEdge
    while (child.kind === 'inner') {
      grandparent = parent
      grandparentUpdate = parentUpdate
      parentEdge = leafEdge
      parent = child
      parentUpdate = parent.update.load()
      leafEdge = key < parent.key ? parent.left : parent.right
      child = leafEdge.load()
    }
    return { grandparent, grandparentUpdate, parentEdge, parent, parentUpdate, leafEdge, leaf: child }
  }

  protected help(update: Update): void {
    if (update.kind === 'insertion') {
      this.helpInsertion(update)
    } else if (update.kind === 'deletion') {
      this.helpDeletion(update)
    } else if (update.kind === 'mark') {
      this.helpMarked(update.deletion)
    }
  }

  protected helpInsertion(insertion: Insertion): void {
    insertion.edge.compareAndSet(insertion.leaf, insertion.replacement)
    insertion.parent.update.compareAndSet(insertion, { kind: 'clean' })
  }

  /** False if the parent was changed after the search, so that the deletion has to start again. */
  protected helpDeletion(deletion: Deletion): boolean {
    const isMarked = deletion.parent.update.compareAndSet(deletion.parentUpdate, { kind: 'mark', deletion })
    const update = deletion.parent.update.load()
    if (isMarked || (update.kind === 'mark' && update.deletion === deletion)) {
      this.helpMarked(deletion)
      return true
    }
    this.help(update)
    deletion.grandparent.update.compareAndSet(deletion, { kind: 'clean' })
    return false
  }

  protected helpMarked(deletion: Deletion): void {
    const right = deletion.parent.right.load()
    const sibling = right === deletion.leaf ? deletion.parent.left.load() : right
    deletion.edge.compareAndSet(deletion.parent, sibling)
    deletion.grandparent.update.compareAndSet(deletion, { kind: 'clean' })
  }
}

/** The old leaf is copied, so that no reference ever becomes again what it was before. */
function insertionOf(key: number, { parent, leafEdge, leaf }: Place): Insertion {
  const added = new Leaf(key)
  const copy = new Leaf(leaf.key)
  const replacement = key < leaf.key ? new Inner(leaf.key, added, copy) : new Inner(key, copy, added)
  return { kind: 'insertion', parent, edge: leafEdge, leaf, replacement }
}

function deletionOf({ grandparent, parentEdge, parent, parentUpdate, leaf }: Place): Deletion {
  return { kind: 'deletion', grandparent, edge: parentEdge, parent, parentUpdate, leaf }
}
