/** When a call that comes back to a place is where it was: the same operation, with the same values in all its frames. */
import type { Caller, Pending } from './process.ts'
import { HandWritten, Iteration } from './views.ts'

export function isSamePosition(left: Pending, right: Pending): boolean {
  return (
    isSame(left.operation.operands, right.operation.operands) &&
    isSame(left.live, right.live) &&
    isSameCaller(left.frame, right.frame)
  )
}

function isSameCaller(left: Caller | undefined, right: Caller | undefined): boolean {
  if (left === right) return true
  if (left === undefined || right === undefined || left.site !== right.site) return false
  return isSame(left.live, right.live) && isSameCaller(left.parent, right.parent)
}

/** Objects are compared by identity. A position in a collection always counts as changed: the log carries its count. */
function isSame(left: readonly unknown[], right: readonly unknown[]): boolean {
  return (
    left.length === right.length && left.every((value, index) => Object.is(value, right[index]) && !isIteration(value))
  )
}

function isIteration(value: unknown): boolean {
  return value instanceof Iteration || value instanceof HandWritten
}
