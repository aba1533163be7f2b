/** New objects of user code: on re-execution, the ones made the first time, so that identities stay what they were. */
import { noteIfUnusual } from './object-kinds.ts'
import { machine } from './process.ts'
import { noteMaking } from './promise-sites.ts'

/** What the source calls the variables that are held in boxes. */
export const variableNames = new WeakMap<object, string>()

/** Wraps the making of every object, array, function and box in user code. */
export function made(site: number, object: unknown): unknown {
  const { process } = machine
  if (process === undefined) return object
  if (process.isReplaying) return process.replayed(site)
  process.note(site, object)
  if (typeof object === 'object' && object !== null) {
    noteIfUnusual(object)
    noteMaking(object, site, process.frame)
  }
  return object
}

/** A variable that closures share, with the name that people know it by. */
export function cell(site: number, value: unknown, name = 'a variable'): unknown {
  const box = made(site, new Cell(value)) as object
  variableNames.set(box, name)
  return box
}

export function isVariable(value: unknown): value is { readonly v: unknown } {
  return value instanceof Cell
}

class Cell {
  v: unknown

  constructor(value: unknown) {
    this.v = value
  }
}
