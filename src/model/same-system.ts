/**
 * What a system consists of is asked for with every view of it, and views of one search are put together: so the function that says it must say
 * the same each time for the same parameters. It is asked twice at first; what can be compared is.
 */
import { DiagnosticError } from '../core/diagnostic.ts'
import type { Params } from '../core/setting.ts'
import { encodeInOrder, type Value } from '../core/value.ts'
import type { SystemDefinition } from '../program/system-definition.ts'

type Told = { readonly [part: string]: string }

export class SameSystem {
  /** By parameters. */
  readonly #told = new Map<string, Told>()

  /** The definition, if it is what it was before. */
  checked(params: Params, define: () => SystemDefinition): SystemDefinition {
    const key = encodeInOrder(params as Value)
    const known = this.#told.get(key)
    const definition = define()
    if (known === undefined) this.#told.set(key, toldBy(definition))
    refuseOther(known ?? toldBy(define()), toldBy(definition), definition)
    return definition
  }
}

function refuseOther(one: Told, other: Told, { name, stack }: SystemDefinition): void {
  const part = Object.keys(one).find((named) => one[named] !== other[named])
  if (part === undefined) return
  throw new DiagnosticError({
    code: 'E201',
    message: `the function that says what system "${name}" consists of is not deterministic: called again, it gave other ${part}`,
    hint: 'it may depend on its parameters alone: no clock, no randomness, no variable outside that changes',
    stack,
  })
}

function toldBy({ names, machines, byzantine, requests, invariants, liveness, refines }: SystemDefinition): Told {
  const listed = (values: Iterable<unknown>): string => encodeInOrder([...values] as unknown as Value)
  return {
    machines: listed([...names, ...[...machines].map(([name, { definition, args }]) => [name, definition.name, args])]),
    'Byzantine machines': listed([...byzantine].map(([name, { kind }]) => [name, kind])),
    requests: listed([...requests].map(([name, calls]) => [name, calls])),
    invariants: listed(invariants.map(({ name }) => name)),
    liveness: listed(liveness.map(({ form, name }) => [form, name])),
    properties: listed(refines.map(({ name }) => name)),
  }
}
