/**
 * Handlers that do not end. One that comes back to where it was, with the same values everywhere and nothing chosen in between, does the same again for
 * ever, whatever it sends on the way: nobody can interrupt it. One that is nowhere twice is run on for a long time, and then taken to be endless as well. Both
 * are violations of the execution in which they happen, so that a handler that does not end hides nothing of other executions.
 */
import { grouped } from '../../core/grouped.ts'
import type { IrFunction } from '../../ir/ir.ts'
import type { AgendaItem, Frame } from './configuration.ts'
import { fail } from './failed.ts'
import type { IrValue } from './value.ts'

/** So many times the blocks after which somebody begins to look. */
const patience = 100
/** Calls within calls: P's own checker has no room for as many. */
const deepestCalls = 100_000

/** All that decides how a handler goes on. */
interface Position {
  readonly state: number
  readonly fields: readonly IrValue[]
  readonly agenda: readonly AgendaItem[]
  readonly frame: Frame | undefined
}

/** Looks at a handler in every block from some time on; remembers one position at a time, for twice as long as the one before (Brent 1980). */
export class Watch {
  #kept: Position | undefined
  #looks = 0
  #until = 1

  /** Fails if it is certain that there is no end, and if there was none for too long. */
  look(here: Position, spent: { readonly blocks: number; readonly first: number }, { name, place }: IrFunction): void {
    if (this.#kept !== undefined && isSame(this.#kept, here))
      fail('endless handler', `${name} comes back to where it was`, place)
    const most = spent.first * patience
    if (spent.blocks > most) fail('endless handler', `${name} goes on after ${grouped(most)} blocks of code`, place)
    if (++this.#looks < this.#until) return
    this.#until = this.#looks * 2
    const { state, fields, agenda, frame } = here
    this.#kept = { state, fields: fields.slice(), agenda: agenda.slice(), frame: copied(frame) }
  }
}

export function boundCalls(depth: number, { name, place }: IrFunction): void {
  if (depth > deepestCalls)
    fail('endless handler', `${name} is called within ${grouped(deepestCalls)} other calls`, place)
}

function isSame(one: Position, other: Position): boolean {
  if (one.state !== other.state || one.agenda.length !== other.agenda.length) return false
  if (!areSame(one.fields, other.fields)) return false
  let [left, right] = [one.frame, other.frame]
  while (left !== undefined && right !== undefined) {
    if (left.function !== right.function || left.block !== right.block || left.at !== right.at) return false
    if (!areSame(left.locals, right.locals)) return false
    left = left.below
    right = right.below
  }
  return left === right && one.agenda.every((item, at) => isSameItem(item, other.agenda[at] as AgendaItem))
}

function areSame(one: readonly IrValue[], other: readonly IrValue[]): boolean {
  return one.every((value, at) => value === other[at])
}

function isSameItem(one: AgendaItem, other: AgendaItem): boolean {
  const fields = Object.keys(one) as (keyof AgendaItem)[]
  return fields.every((field) => one[field] === other[field])
}

function copied(frame: Frame | undefined): Frame | undefined {
  const frames: Frame[] = []
  for (let one = frame; one !== undefined; one = one.below) frames.push(one)
  let below: Frame | undefined
  for (const { function: index, block, at, locals } of frames.reverse())
    below = { function: index, block, at, locals: locals.slice(), below }
  return below
}
