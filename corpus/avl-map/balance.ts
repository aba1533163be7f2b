/** Keeping the tree balanced: relaxed AVL, hand over hand from the place of a change towards the root. */
import { type Element, isRoot } from './element.ts'
import { lockParent } from './tree-locks.ts'

export function balanceOf(element: Element): number {
  return element.leftHeight - element.rightHeight
}

/** The subtree on one side of `element` has changed; `child` is its root, if any. Both are locked, and released here. */
export function rebalance(element: Element, child: Element | null, isLeft: boolean): void {
  if (isSettled(element, child, isLeft)) {
    element.treeLock.release()
    child?.treeLock.release()
  } else {
    climb(element, child)
  }
}

/** Balances `element`, then its ancestors as long as heights change. */
export function climb(start: Element, changed: Element | null): void {
  let element = start
  let child = changed
  do {
    const balanced = rotations(element, child)
    if (balanced === null) {
      return
    }
    balanced.lower?.treeLock.release()
    child = balanced.upper
    element = balanced.above ?? lockParent(child)
  } while (!isSettled(element, child, element.left === child))
  element.treeLock.release()
  child.treeLock.release()
}

/** True if the change ends here: at the root, or where neither a height changes nor a rotation is due. */
function isSettled(element: Element, child: Element | null, isLeft: boolean): boolean {
  if (isRoot(element)) {
    return true
  }
  const hasChanged = updateHeight(element, child, isLeft)
  return !hasChanged && Math.abs(balanceOf(element)) < 2
}

function updateHeight(element: Element, child: Element | null, isLeft: boolean): boolean {
  const height = child === null ? 0 : Math.max(child.leftHeight, child.rightHeight) + 1
  const old = isLeft ? element.leftHeight : element.rightHeight
  if (isLeft) {
    element.leftHeight = height
  } else {
    element.rightHeight = height
  }
  return height !== old
}

/** What is locked after rotations: the element on top, at most one child, and its parent if that had to be locked. */
interface Balanced {
  readonly upper: Element
  readonly lower: Element | null
  readonly above: Element | null
}

/** Rotates until the element is balanced. Nothing, and nothing is locked, if it was removed meanwhile. */
function rotations(start: Element, changed: Element | null): Balanced | null {
  let element = start
  let child = changed
  let parent: Element | null = null
  for (;;) {
    const balance = balanceOf(element)
    if (Math.abs(balance) < 2) {
      return { upper: element, lower: child, above: parent }
    }
    const isLeft = balance > 0
    child = tryLockHigher(element, child, isLeft)
    if (child === null) {
      parent?.treeLock.release()
      parent = null
      if (!lockAgain(element)) {
        return null
      }
      continue
    }
    parent ??= lockParent(element)
    rotate(child, element, parent, !isLeft)
    if (Math.abs(balanceOf(element)) >= 2) {
      parent.treeLock.release()
      parent = child
      child = null
    } else {
      const lower = element
      element = child
      child = lower
    }
  }
}

/** The higher child, locked and leaning outwards, instead of the locked `child`. Nothing if a lock below is taken. */
function tryLockHigher(element: Element, child: Element | null, isLeft: boolean): Element | null {
  const higher = (isLeft ? element.left : element.right)!
  if (higher !== child) {
    child?.treeLock.release()
    if (!higher.treeLock.tryAcquire()) {
      return null
    }
  }
  const balance = balanceOf(higher)
  if (isLeft ? balance >= 0 : balance <= 0) {
    return higher
  }
  const inner = (isLeft ? higher.right : higher.left)!
  if (!inner.treeLock.tryAcquire()) {
    higher.treeLock.release()
    return null
  }
  rotate(inner, higher, element, isLeft)
  higher.treeLock.release()
  return inner
}

/** Gives others a chance to finish below the element. False if it is gone afterwards. */
function lockAgain(element: Element): boolean {
  element.treeLock.release()
  element.treeLock.acquireSync()
  if (element.valid) {
    return true
  }
  element.treeLock.release()
  return false
}

/** Puts `child` in the place of `element`, which becomes its left or right child. All three are locked. */
function rotate(child: Element, element: Element, parent: Element, isLeft: boolean): void {
  if (parent.left === element) {
    parent.left = child
  } else {
    parent.right = child
  }
  child.parent = parent
  element.parent = child
  const inner = isLeft ? child.left : child.right
  if (inner !== null) {
    inner.parent = element
  }
  if (isLeft) {
    element.right = inner
    child.left = element
    element.rightHeight = child.leftHeight
    child.leftHeight = Math.max(element.leftHeight, element.rightHeight) + 1
  } else {
    element.left = inner
    child.right = element
    element.leftHeight = child.rightHeight
    child.rightHeight = Math.max(element.leftHeight, element.rightHeight) + 1
  }
}
