/**
 * Where executions halt against where a proof ends: the halting states of a program are among those of its sequentialization
 * (Brisk §4, Theorem 4.1), so what the last state of a proof knows of the variables must be true at the end of every execution.
 */
import type { EndedProcess, Ending, EndProperty } from '../../src/core/property.ts'
import { Address, encodeValue, type Value } from '../../src/core/value.ts'
import type { Configuration, Party } from '../../src/engines/sequentialize/configuration.ts'
import { applyAll } from '../../src/engines/sequentialize/kernel.ts'
import type { Proof } from '../../src/engines/sequentialize/proof.ts'
import { initialState, type State } from '../../src/engines/sequentialize/state.ts'
import { StaticFacts } from '../../src/engines/sequentialize/static-facts.ts'
import {
  constant,
  isPerhapsUnset,
  keyOf,
  leavesOf,
  type Value as Pattern,
} from '../../src/engines/sequentialize/value.ts'
import { type Icet, statementsOf } from '../../src/program/icet.ts'
import type { Meaning } from '../../src/semantics/icet/evaluate.ts'
import { type Bindings, symbolKey, worth } from './pattern-value.ts'

/** What a proof knows where it ends. */
export function endOfProof(icet: Icet, proof: Proof): State {
  return applyAll(initialState(new StaticFacts(icet)), proof.steps)
}

export interface Execution {
  readonly sizes: { readonly [parameter: string]: number }
  readonly meaning: Meaning
}

/** Daemons are left out: they have not ended, and nobody sees what they know. */
export function haltsAsProved(ended: State, execution: Execution): EndProperty {
  const name = 'halts as proved'
  return {
    kind: 'final',
    sees: 'ending',
    name,
    violation(ending) {
      const message = difference(ended, ending, execution)
      return message === undefined ? undefined : { kind: 'final', property: name, message }
    },
  }
}

function difference({ configuration }: State, { processes }: Ending, execution: Execution): string | undefined {
  // What waits or fails is another kind of disagreement.
  if (processes.some(({ status, daemon }) => status !== 'returned' && !daemon)) return undefined
  const matching = new Matching(execution)
  const seen = variablesOf(configuration, processes)
  // Once more when all symbols are known, for what is computed from them.
  for (const { process, variable, pattern, value } of [...seen, ...seen]) {
    if (matching.matches(pattern, value, process)) continue
    return `${process} has ${variable} = ${shown(value)} and not ${keyOf(pattern)}`
  }
  for (const [symbol, values] of configuration.domains) {
    const bound = matching.bindings.get(symbolKey(symbol))
    if (bound !== undefined && !values.some((value) => Object.is(value, bound.value)))
      return `#${symbol} is ${shown(bound.value)} and none of ${JSON.stringify(values)}`
  }
  for (const { condition, holds } of configuration.truths.values()) {
    const found = worth(condition, matching.bindings, execution)
    if (found !== undefined && Boolean(found.value) !== holds) return `${keyOf(condition)} is not ${holds}`
  }
  return undefined
}

interface Seen {
  readonly process: string
  readonly variable: string
  readonly pattern: Pattern
  readonly value: Value
}

function variablesOf({ parties }: Configuration, processes: readonly EndedProcess[]): readonly Seen[] {
  return processes.flatMap((ended) => {
    const party = [...parties.values()].find((one) => isOf(ended, one))
    // Main, where the term does not have it.
    if (party === undefined || ended.daemon) return []
    const store = ended.value as { readonly [variable: string]: Value }
    // Whoever reads a variable that is not set gets undefined, so that is what is claimed of those that a proof does not have.
    return variablesKnown(party, store).map((variable) => ({
      process: ended.id,
      variable,
      pattern: party.store.get(variable) ?? constant(undefined),
      value: store[variable],
    }))
  })
}

/** At a `while` a proof forgets variables that are not read any more: then nothing is claimed of those it does not have. */
function variablesKnown({ process, store }: Party, concrete: object): readonly string[] {
  const forgets = [...statementsOf(process.body)].some(({ kind }) => kind === 'while')
  return [...new Set([...store.keys(), ...(forgets ? [] : Object.keys(concrete))])]
}

function isOf({ id }: EndedProcess, { process }: Party): boolean {
  if (process.count === undefined) return id === process.name
  return id.startsWith(`${process.name} `) && /^\d+$/.test(id.slice(process.name.length + 1))
}

/** One execution: a symbol, or a function of symbols, is one value all over it. */
class Matching {
  readonly bindings: Bindings = new Map()
  readonly #execution: Execution

  constructor(execution: Execution) {
    this.#execution = execution
  }

  matches(pattern: Pattern, value: Value, self: string): boolean {
    switch (pattern.kind) {
      case 'constant':
        return Object.is(pattern.value, value)
      case 'process':
        // Whichever member was told apart last: some member, here and elsewhere the same.
        return pattern.id.endsWith('#') ? value instanceof Address : value === Address.of(pattern.id)
      case 'self':
        return value === Address.of(self)
      case 'parameter':
        return value === this.#execution.sizes[pattern.name]
      case 'unknown':
        return true
      case 'record':
        return this.#matchesRecord(pattern.fields, value, self)
      case 'symbol':
        return this.#isOneValue(symbolKey(pattern.id), value)
      case 'term':
        return isPerhapsUnset(pattern) || this.#matchesTerm(pattern, value, self)
    }
  }

  #matchesRecord(fields: ReadonlyMap<string, Pattern>, value: Value, self: string): boolean {
    if (typeof value !== 'object' || value === null || value instanceof Address) return false
    const record = value as { readonly [field: string]: Value }
    if (Object.keys(record).some((name) => !fields.has(name))) return false
    return [...fields].every(([name, pattern]) => this.matches(pattern, record[name], self))
  }

  #matchesTerm(pattern: Pattern, value: Value, self: string): boolean {
    const leaves = [...leavesOf(pattern)]
    if (leaves.some(({ kind }) => kind === 'unknown')) return true
    const found = worth(pattern, this.bindings, { ...this.#execution, self })
    if (found !== undefined && !isSame(found.value, value)) return false
    const isOwn = leaves.some(({ kind }) => kind === 'self')
    return this.#isOneValue(isOwn ? `${keyOf(pattern)} of ${self}` : keyOf(pattern), value)
  }

  #isOneValue(key: string, value: Value): boolean {
    const bound = this.bindings.get(key)
    if (bound === undefined) this.bindings.set(key, { value })
    return bound === undefined || isSame(bound.value, value)
  }
}

function shown(value: Value): string {
  return value === undefined ? 'undefined' : JSON.stringify(value)
}

function isSame(left: Value, right: Value): boolean {
  return Object.is(left, right) || encodeValue(left) === encodeValue(right)
}
