/** An element of the map: part of a doubly linked list in key order and of a balanced search tree. */
import { Mutex } from 'allways/sync'

export class Element {
  readonly key: number
  /** Guards `succ`, the successor's `pred`, and whether there is an element between the two. */
  readonly succLock = new Mutex({ reentrant: true })
  /** Guards `left`, `right`, the heights, and the `parent` of both children. */
  readonly treeLock = new Mutex({ reentrant: true })
  item: number | null
  /** False once it is removed; it never comes back. */
  valid = true
  pred: Element
  succ: Element
  parent: Element
  left: Element | null = null
  right: Element | null = null
  leftHeight = 0
  rightHeight = 0

  /** Without neighbours it is its own. */
  constructor(key: number, item: number | null, pred?: Element, succ?: Element, parent?: Element) {
    this.key = key
    this.item = item
    this.pred = pred ?? this
    this.succ = succ ?? this
    this.parent = parent ?? this
  }
}

/** The element above the topmost key: the tree is its left child. */
export function isRoot(element: Element): boolean {
  return element.key === Infinity
}
