/** Tree locks: found by looking again after locking, because elements move while one waits. */
import type { Element } from './element.ts'

/** The neighbour under which a new element between the two is to hang; its tree lock is taken. */
export function chooseParent(previous: Element, next: Element, found: Element): Element {
  let candidate = found === previous || found === next ? found : previous
  for (;;) {
    candidate.treeLock.acquireSync()
    if (candidate === previous) {
      if (candidate.right === null) {
        return candidate
      }
      candidate.treeLock.release()
      candidate = next
    } else {
      if (candidate.left === null) {
        return candidate
      }
      candidate.treeLock.release()
      candidate = previous
    }
  }
}

/** The parent, with its tree lock taken. */
export function lockParent(element: Element): Element {
  let parent = element.parent
  parent.treeLock.acquireSync()
  while (element.parent !== parent || !parent.valid) {
    parent.treeLock.release()
    parent = element.parent
    while (!parent.valid) {
      parent = element.parent
    }
    parent.treeLock.acquireSync()
  }
  return parent
}

/**
 * Takes the tree locks of the element and of all below it that its removal changes. With two children that are its
 * successor, which is answered, the successor's parent and right child; otherwise its only child, if any.
 */
export function acquireTreeLocks(element: Element): Element | null {
  for (;;) {
    element.treeLock.acquireSync()
    const right = element.right
    const left = element.left
    if (right === null || left === null) {
      const child = right ?? left
      if (child === null || child.treeLock.tryAcquire()) {
        return null
      }
    } else {
      const successor = element.succ
      if (tryLockSuccessor(element, successor)) {
        return successor
      }
    }
    element.treeLock.release()
  }
}

function tryLockSuccessor(element: Element, successor: Element): boolean {
  const parent = successor.parent
  if (parent !== element) {
    if (!parent.treeLock.tryAcquire()) {
      return false
    }
    if (successor.parent !== parent || !parent.valid) {
      parent.treeLock.release()
      return false
    }
  }
  if (successor.treeLock.tryAcquire()) {
    const right = successor.right
    if (right === null || right.treeLock.tryAcquire()) {
      return true
    }
    successor.treeLock.release()
  }
  if (parent !== element) {
    parent.treeLock.release()
  }
  return false
}
