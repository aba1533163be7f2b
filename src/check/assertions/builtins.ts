/** Functions of the language that programs use to say what type a value has, recognised by the text of the expression. */
import type { Cell } from './cells.ts'

const builtinNames = ['typeof', 'Number.isInteger', 'Number.isFinite', 'Number.isNaN'] as const
export type Builtin = (typeof builtinNames)[number]

export const typeNames = ['undefined', 'object', 'boolean', 'number', 'string'] as const

const patterns: ReadonlyMap<Builtin, RegExp> = new Map([
  ['typeof', /^`typeof [\w$]+`$/],
  ['Number.isInteger', /^`Number\.isInteger\([\w$]+\)`$/],
  ['Number.isFinite', /^`Number\.isFinite\([\w$]+\)`$/],
  ['Number.isNaN', /^`Number\.isNaN\([\w$]+\)`$/],
])

/** Of one variable only: behind a path, the input is the root of the path and not what is asked about. */
export function builtinOf(cell: Cell): Builtin | undefined {
  if (cell.kind !== 'term' || cell.inputs.length !== 1) return undefined
  return builtinNames.find((name) => patterns.get(name)?.test(cell.operator) === true)
}
