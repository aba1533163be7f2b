/** Hanging elements into the tree and taking them out. All tree locks that are needed are held, and released here. */
import { balanceOf, climb, rebalance } from './balance.ts'
import { type Element, isRoot } from './element.ts'
import { lockParent } from './tree-locks.ts'

export function insertToTree(parent: Element, element: Element, isRight: boolean): void {
  if (isRight) {
    parent.right = element
    parent.rightHeight = 1
  } else {
    parent.left = element
    parent.leftHeight = 1
  }
  if (isRoot(parent)) {
    parent.treeLock.release()
    return
  }
  const grandparent = lockParent(parent)
  rebalance(grandparent, parent, grandparent.left === parent)
}

/** With a successor, that takes the place of the element; otherwise its only child, if any, does. */
export function removeFromTree(element: Element, successor: Element | null, parent: Element): void {
  if (successor === null) {
    const child = element.right ?? element.left
    const isLeft = replaceChild(parent, element, child)
    element.treeLock.release()
    rebalance(parent, child, isLeft)
    return
  }
  const oldParent = successor.parent
  const oldRight = successor.right
  replaceChild(oldParent, successor, oldRight)
  takePlace(successor, element)
  replaceChild(parent, element, successor)
  element.treeLock.release()
  parent.treeLock.release()
  // Somebody may have been about to balance the element, and will give up, because it is gone.
  const isSkewed = Math.abs(balanceOf(successor)) >= 2
  if (oldParent === element) {
    rebalance(successor, oldRight, false)
  } else {
    successor.treeLock.release()
    rebalance(oldParent, oldRight, true)
  }
  if (isSkewed) {
    balanceAgain(successor)
  }
}

/** True if it was the left child. */
function replaceChild(parent: Element, child: Element, replacement: Element | null): boolean {
  const isLeft = parent.left === child
  if (isLeft) {
    parent.left = replacement
  } else {
    parent.right = replacement
  }
  if (replacement !== null) {
    replacement.parent = parent
  }
  return isLeft
}

function takePlace(successor: Element, element: Element): void {
  const left = element.left
  const right = element.right
  successor.leftHeight = element.leftHeight
  successor.rightHeight = element.rightHeight
  successor.left = left
  successor.right = right
  if (left !== null) {
    left.parent = successor
  }
  if (right !== null) {
    right.parent = successor
  }
}

function balanceAgain(element: Element): void {
  element.treeLock.acquireSync()
  const balance = balanceOf(element)
  if (element.valid && Math.abs(balance) >= 2) {
    climb(element, null)
  } else {
    element.treeLock.release()
  }
}
