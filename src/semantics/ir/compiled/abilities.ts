/** What functions of a program may do, those that they call included. */
import type { Ir, IrFunction } from '../../../ir/ir.ts'

export interface Abilities {
  /** May choose: then all that follows happens once for each option. */
  readonly forks: boolean
  /** May leave the whole handler, callers included. */
  readonly leaves: boolean
}

/** By the place of the function. */
export function abilitiesOf({ functions }: Ir): readonly Abilities[] {
  const callees = functions.map(calleesOf)
  const forks = closed(functions.map(hasChoice), callees)
  const leaves = closed(functions.map(hasLeaving), callees)
  return functions.map((_, at) => ({ forks: forks[at] === true, leaves: leaves[at] === true }))
}

function calleesOf({ blocks }: IrFunction): readonly number[] {
  return blocks.flatMap(({ instructions }) =>
    instructions.flatMap((one) => (one.kind === 'call' ? [one.function] : [])),
  )
}

function hasChoice({ blocks }: IrFunction): boolean {
  return blocks.some(({ instructions }) => instructions.some(({ kind }) => kind === 'choose'))
}

function hasLeaving({ blocks }: IrFunction): boolean {
  return blocks.some(({ end: { kind } }) => kind === 'raise' || kind === 'goto')
}

/** Whoever calls one that can, can. */
function closed(can: boolean[], callees: readonly (readonly number[])[]): readonly boolean[] {
  for (let isNew = true; isNew; ) {
    isNew = false
    for (const [at, called] of callees.entries()) {
      if (can[at] === true || !called.some((one) => can[one] === true)) continue
      can[at] = true
      isNew = true
    }
  }
  return can
}
