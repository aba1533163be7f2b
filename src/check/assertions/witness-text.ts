/**
 * What a solver says of values, told to people: under the names of the source, and only what an execution can have. A value that the
 * proof does not follow, such as what earlier rounds left in a variable, may be to the solver what it never is.
 */
import type { Lost } from '../../engines/sequentialize/configuration.ts'
import { type Cell, textOf } from './cells.ts'
import type { Encoded } from './encode.ts'
import { concreteText } from './model.ts'
import type { Witness } from './replay.ts'

/** 'clients = 2, vote = "no"'; nothing if no value can be told. */
export function witnessText(witness: Witness, encoded: Encoded): string | undefined {
  if (witness.length === 0) return 'whatever the values are'
  const cells = witness.map(({ cell }) => cell)
  if (lostIn(cells, encoded).length > 0) return undefined
  const told = witness.filter(({ cell }) => hasName(cell))
  return told.length === 0
    ? undefined
    : told.map(({ cell, value }) => `${textOf(cell)} = ${concreteText(value)}`).join(', ')
}

export interface NotFollowed {
  readonly why: string
  readonly hint?: string
}

/** Why values that are not followed leave an assertion open; undefined if it depends on none. */
export function notFollowed(cells: readonly Cell[], encoded: Encoded): NotFollowed | undefined {
  const lost = lostIn(cells, encoded)
  if (lost.length === 0) return undefined
  const { process, lost: all = new Map() } = encoded.obligation
  const names = [...new Set(lost.flatMap((one) => nameOf(one, process)))]
  const isCarried = [...all.values()].some(
    (one) => one.isCarried === true && lost.some((other) => isSameVariable(one, other)),
  )
  const way = isCarried ? 'from round to round' : 'to here'
  const what = names.length === 0 ? 'a value' : namesText(names)
  const whose = names.length > 1 ? 'whose values are' : names.length === 1 ? 'whose value is' : 'that is'
  const why = `it depends on ${what}, ${whose} not followed ${way}`
  return isCarried ? { why, hint: countHint } : { why }
}

const countHint =
  'count with the index of the loop, as in for (let i = 0; i < k; i++), which is known in each round, and assert in the round what it received'

/** Of values that are free to choose, or are computed from such. */
function lostIn(cells: readonly Cell[], { obligation }: Encoded): readonly Lost[] {
  return cells.flatMap((cell): readonly Lost[] => {
    switch (cell.kind) {
      case 'symbol': {
        const lost = obligation.lost?.get(cell.id)
        return lost === undefined ? [] : [lost]
      }
      case 'some':
        return [{}]
      case 'term':
        return lostIn(cell.inputs, { obligation } as Encoded)
      case 'record':
        return lostIn([...cell.fields.values()], { obligation } as Encoded)
      default:
        return []
    }
  })
}

/** Whether the source has words for it. */
export function hasName(cell: Cell): boolean {
  if (cell.kind === 'symbol') return cell.called !== undefined
  return cell.kind !== 'term' || cell.inputs.every(hasName)
}

/** As the process itself calls it. */
function nameOf({ process, variable }: Lost, own: string): readonly string[] {
  if (variable === undefined) return []
  return [process === own ? variable : `${process}.${variable}`]
}

function isSameVariable(left: Lost, right: Lost): boolean {
  return left.process === right.process && left.variable === right.variable
}

function namesText(names: readonly string[]): string {
  const [last, ...others] = names.toReversed()
  return others.length === 0 ? `${last}` : `${others.toReversed().join(', ')} and ${last}`
}
