/** Expressions as people write them, over the variables in scope: with operations, assignments and coercions anywhere inside. */
import type { Random } from '../../src/core/random.ts'

export type Type = 'number' | 'text' | 'flag' | 'object' | 'list' | 'objects' | 'map' | 'optional'

export interface Variable {
  readonly name: string
  readonly type: Type
  readonly isConstant: boolean
}

/** What is drawn from, and what was used so far. */
export interface Draft {
  readonly random: Random
  readonly scope: Variable[]
  /** Kinds of what a worker asks for, in the order of the text; nothing if it must not ask. */
  readonly asks: string[] | undefined
  /** For names that are used once. */
  names: number
  /** Inside of a function that is not a generator there are no operations. */
  isPlain: boolean
}

export function fresh(draft: Draft, letter: string): string {
  return `${letter}${draft.names++}`
}

export function some(draft: Draft, type: Type, assignable = false): string | undefined {
  const found = draft.scope.filter((one) => one.type === type && !(assignable && one.isConstant))
  return found.length === 0 ? undefined : draft.random.pick(found).name
}

type Rule = (draft: Draft, depth: number) => string | undefined

/** The first drawn rule that has what it needs. */
export function drawn(draft: Draft, rules: readonly Rule[], depth: number): string {
  for (let tries = 0; tries < 8; tries++) {
    const found = draft.random.pick(rules)(draft, depth)
    if (found !== undefined) return found
  }
  return '1'
}

export function number(draft: Draft, depth = draft.random.pick([0, 1, 1, 2])): string {
  return drawn(draft, depth <= 0 ? plainNumbers : numbers, depth - 1)
}

export function flag(draft: Draft, depth = draft.random.pick([0, 1, 1, 2])): string {
  return drawn(draft, depth <= 0 ? plainFlags : [...plainFlags, ...flags], depth - 1)
}

export function text(draft: Draft, depth = draft.random.pick([0, 1, 1, 2])): string {
  return drawn(draft, depth <= 0 ? plainTexts : [...plainTexts, ...texts], depth - 1)
}

export function object(draft: Draft, depth = draft.random.pick([0, 0, 1])): string {
  return `{ x: ${number(draft, depth)}, inner: { y: ${number(draft, depth)} } }`
}

/** An operation that gives a number; main answers each kind with a number of its own. */
export function asked(draft: Draft): string | undefined {
  if (draft.asks === undefined || draft.isPlain || draft.asks.length >= 4) return undefined
  const kind = `k${draft.asks.length + 1}`
  draft.asks.push(kind)
  return `(yield* ask(main, '${kind}'))`
}

const plainNumbers: readonly Rule[] = [
  ({ random }) => `${random.below(4)}`,
  (draft) => some(draft, 'number'),
  (draft) => some(draft, 'number'),
  (draft) => suffixed(some(draft, 'object'), '.x'),
  (draft) => suffixed(some(draft, 'object'), '.inner.y'),
  (draft) => suffixed(some(draft, 'list'), draft.random.pick(['[0]', '.length', '[1]', '.at(-1)'])),
  (draft) => suffixed(some(draft, 'objects'), draft.random.pick(['[0].x', '[1].inner.y', '.length'])),
  (draft) => suffixed(some(draft, 'map'), draft.random.pick([`.get('a')`, '.size'])),
]

const numbers: readonly Rule[] = [
  asked,
  asked,
  (draft, depth) =>
    `(${number(draft, depth)} ${draft.random.pick(['+', '-', '*', '??', '||', '&&'])} ${number(draft, depth)})`,
  (draft, depth) => `(${flag(draft, depth)} ? ${number(draft, depth)} : ${number(draft, depth)})`,
  (draft, depth) => `(${some(draft, 'optional') ?? 'null'} ?? ${number(draft, depth)})`,
  (draft, depth) => `[${number(draft, depth)}, [${number(draft, depth)}]].length`,
  (draft, depth) => `({ a: ${number(draft, depth)}, b: { c: ${number(draft, depth)} } }).b.c`,
  (draft, depth) => `Math.max(${number(draft, depth)}, ${number(draft, depth)})`,
  (draft, depth) => `Number(${flag(draft, depth)})`,
  (draft, depth) => `twice(${number(draft, depth)})`,
  (draft, depth) => `orOne(${draft.random.pick([number(draft, depth), '', 'undefined'])})`,
  (draft, depth) => `(${number(draft, depth)}, ${number(draft, depth)})`,
  (draft, depth) => assigned(some(draft, 'number', true), ` = ${number(draft, depth)}`),
  (draft) => suffixed(some(draft, 'number', true), draft.random.pick(['++', '--'])),
  (draft) => prefixed('++', some(draft, 'number', true)),
  (draft, depth) => assigned(some(draft, 'object'), `.x = ${number(draft, depth)}`),
  (draft) => suffixed(some(draft, 'object'), '.x++'),
  (draft) => suffixed(some(draft, 'list'), draft.random.pick(['.pop()', '.shift()', '.push(5)'])),
  (draft, depth) => some(draft, 'optional') && `${some(draft, 'optional')}?.(${number(draft, depth)})`,
  (draft, depth) => some(draft, 'object') && `({ ...${some(draft, 'object')}, z: ${number(draft, depth)} }).x`,
]

const plainFlags: readonly Rule[] = [
  ({ random }) => random.pick(['true', 'false']),
  (draft) => some(draft, 'flag'),
  (draft) => some(draft, 'flag'),
  (draft) => `${number(draft, 0)} === ${number(draft, 0)}`,
]

const flags: readonly Rule[] = [
  (draft, depth) => `(${number(draft, depth)} ${draft.random.pick(['===', '<', '>=', '!=='])} ${number(draft, depth)})`,
  (draft, depth) => `(${number(draft, depth)} ${draft.random.pick(['==', '!='])} ${loose(draft)})`,
  (draft) => `(${text(draft, 0)} == ${number(draft, 0)})`,
  (draft) => `(${some(draft, 'optional') ?? 'null'} ${draft.random.pick(['==', '!='])} undefined)`,
  (draft, depth) => `(${flag(draft, depth)} ${draft.random.pick(['&&', '||'])} ${flag(draft, depth)})`,
  (draft, depth) => `!${flag(draft, depth)}`,
  (draft, depth) => suffixed(some(draft, 'list'), `.includes(${number(draft, depth)})`),
  (draft) => `'ab'.includes(${text(draft, 0)})`,
  (draft) => same(some(draft, 'object'), some(draft, 'object')),
  (draft) => `typeof ${number(draft, 0)} === 'number'`,
  (draft) => prefixed("'x' in ", some(draft, 'object')),
]

function loose({ random }: Draft): string {
  return random.pick(["'1'", 'false', 'true', "''", 'null', "'0'"])
}

const plainTexts: readonly Rule[] = [
  ({ random }) => `'${random.pick(['a', 'b', 'ab', ''])}'`,
  (draft) => some(draft, 'text'),
]

const texts: readonly Rule[] = [
  (draft, depth) => `\`t\${${number(draft, depth)}}\``,
  (draft, depth) => `(${text(draft, depth)} + ${number(draft, depth)})`,
  (draft, depth) => `(${flag(draft, depth)} ? ${text(draft, depth)} : ${text(draft, depth)})`,
  (draft, depth) => assigned(some(draft, 'text', true), ` = ${text(draft, depth)}`),
]

function suffixed(name: string | undefined, suffix: string): string | undefined {
  return name === undefined ? undefined : `${name}${suffix}`
}

function prefixed(prefix: string, name: string | undefined): string | undefined {
  return name === undefined ? undefined : `${prefix}${name}`
}

function assigned(name: string | undefined, rest: string): string | undefined {
  return name === undefined ? undefined : `(${name}${rest})`
}

function same(left: string | undefined, right: string | undefined): string | undefined {
  return left === undefined || right === undefined ? undefined : `${left} === ${right}`
}
