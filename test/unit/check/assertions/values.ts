/** Short ways to write the values of obligations. */
import type { Obligation } from '../../../../src/engines/sequentialize/state.ts'
import { constant, processValue, term, type Value } from '../../../../src/engines/sequentialize/value.ts'
import type { Count, Literal } from '../../../../src/program/icet.ts'

export { constant as literal, processValue as process, term }

export function symbol(id: number): Value {
  return { kind: 'symbol', id }
}

export function parameter(name: string): Value {
  return { kind: 'parameter', name }
}

export function record(fields: Readonly<Record<string, Value>>): Value {
  return { kind: 'record', fields: new Map(Object.entries(fields)) }
}

export function not(value: Value): Value {
  return term('!', value)
}

export function is(left: Value, right: Value | Literal): Value {
  return term('===', left, typeof right === 'object' && right !== null ? right : constant(right))
}

/** A source text about which nothing is known. */
export function opaque(text: string, ...inputs: readonly Value[]): Value {
  return term(`\`${text}\``, ...inputs)
}

export interface Given {
  readonly holds?: readonly Value[]
  readonly fails?: readonly Value[]
  readonly domains?: Readonly<Record<number, readonly Literal[]>>
  readonly indices?: Readonly<Record<number, Count>>
}

export function assertion(condition: Value, { holds = [], fails = [], domains = {}, indices }: Given = {}): Obligation {
  return {
    statement: 1,
    process: 'main',
    condition,
    truths: [
      ...holds.map((value) => ({ condition: value, holds: true })),
      ...fails.map((value) => ({ condition: value, holds: false })),
    ],
    domains: bySymbol(domains),
    names: new Map(Array.from({ length: 20 }, (_, id) => [id, `value ${id}`])),
    ...(indices === undefined ? {} : { indices: bySymbol(indices) }),
  }
}

function bySymbol<T>(entries: Readonly<Record<number, T>>): ReadonlyMap<number, T> {
  return new Map(Object.entries(entries).map(([id, entry]) => [Number(id), entry]))
}
