/** Builds specifications from a table of operations: names and aliases, number of arguments, effect, what a result says. */
import type { Call, CallResult } from '../../core/history.ts'
import type { Value } from '../../core/value.ts'
import { showValue } from '../../core/value-text.ts'
import type { Effect } from '../../program/specification.ts'
import { showCall } from './call-text.ts'
import { type CallProblem, type Ruling, type Specification, unknownOperation } from './specification.ts'

export interface OperationRule<State> {
  /** The number of arguments, or the least and the greatest. */
  readonly takes: number | readonly [least: number, most: number]
  apply(state: State, args: readonly Value[], result: CallResult): Effect<State> | readonly Effect<State>[]
  /** What a returned value says. `unknown`: nothing. Without this, exactly itself. */
  readonly says?: (value: Value) => CallResult
  /** Whether a call with this result leaves every state as it is. */
  readonly observes?: boolean | ((result: CallResult, args: readonly Value[]) => boolean)
  /** What the arguments must look like, if not any values: the words of what is expected, or undefined if they fit. */
  readonly expects?: (args: readonly Value[]) => string | undefined
}

export interface OperationTable<State> {
  readonly name: string
  initial(): State
  key(state: State): string | number
  copies?(states: readonly State[]): readonly State[]
  describe(state: State): string
  readonly rules: { readonly [operation: string]: OperationRule<State> }
  /** Other names of operations, by the name in `rules`. */
  readonly aliases: { readonly [operation: string]: readonly string[] }
  partition?(operation: string, args: readonly Value[]): Value | undefined
  part?(key: Value): Specification
  /** Calls come with the names of `rules` and results as `observation` reads them; `show` gives their own words. */
  decide?(calls: readonly Call[], show: ShowCall): Ruling | undefined
  /** As `Specification.ranks`, of calls as in `decide`. */
  ranks?(calls: readonly Call[]): readonly number[]
}

/** A call, given by position, as people read it. */
export type ShowCall = (call: number) => string

export const saysNothing: CallResult = { kind: 'unknown' }

export function saying(value: Value): CallResult {
  return { kind: 'returned', value }
}

/** Results that are true or false say something; anything else (an echo, nothing) is an acknowledgement only. */
export function booleanOnly(value: Value): CallResult {
  return typeof value === 'boolean' ? saying(value) : saysNothing
}

export function returned(result: CallResult, value: Value): boolean {
  return result.kind === 'returned' && result.value === value
}

export function tableSpecification<State>(table: OperationTable<State>): Specification<State> {
  const canonical = canonicalNames(table)
  const known = [...canonical.keys()]
  const ruleOf = (operation: string): OperationRule<State> | undefined => {
    const name = canonical.get(operation)
    return name === undefined ? undefined : table.rules[name]
  }
  const observation = (operation: string, result: CallResult): CallResult => {
    const says = ruleOf(operation)?.says
    return says === undefined || result.kind !== 'returned' ? result : says(result.value)
  }
  const plain = (call: Call): Call => ({
    ...call,
    operation: canonical.get(call.operation) ?? call.operation,
    result: observation(call.operation, call.result),
  })
  const { partition, part, decide, ranks, copies } = table
  return {
    kind: 'specification',
    name: table.name,
    initial: () => table.initial(),
    apply(state, operation, args, result) {
      const effects = ruleOf(operation)?.apply(state, args, result) ?? []
      return Array.isArray(effects) ? effects : [effects as Effect<State>]
    },
    key: (state) => table.key(state),
    describe: (state) => table.describe(state),
    problem: (operation, args) =>
      unknownOperation(table.name, operation, known) ?? argumentProblem(operation, ruleOf(operation), args),
    arity: (operation) => leastArguments(ruleOf(operation)),
    observation: (operation, _args, result) => observation(operation, result),
    observes(operation, args, result) {
      const observes = ruleOf(operation)?.observes ?? false
      return typeof observes === 'boolean' ? observes : observes(result, args)
    },
    ...(partition && { partition: (operation, args) => partition(canonical.get(operation) ?? operation, args) }),
    ...(part && { part }),
    ...(copies && { copies }),
    ...(decide && { decide: (calls) => decide(calls.map(plain), (call) => showCall(calls[call] as Call)) }),
    ...(ranks && { ranks: (calls) => ranks(calls.map(plain)) }),
  }
}

function canonicalNames<State>({ rules, aliases }: OperationTable<State>): ReadonlyMap<string, string> {
  return new Map(
    Object.keys(rules).flatMap((name) => [name, ...(aliases[name] ?? [])].map((alias) => [alias, name] as const)),
  )
}

function leastArguments<State>(rule: OperationRule<State> | undefined): number | undefined {
  if (rule === undefined) return undefined
  return typeof rule.takes === 'number' ? rule.takes : rule.takes[0]
}

function argumentProblem<State>(
  operation: string,
  rule: OperationRule<State> | undefined,
  args: readonly Value[],
): CallProblem | undefined {
  if (rule === undefined) return undefined
  const [least, most] = typeof rule.takes === 'number' ? [rule.takes, rule.takes] : rule.takes
  const message = `${operation} was called with ${args.length === 0 ? 'no arguments' : showValue(args, 60)}`
  if (args.length < least || args.length > most) {
    const count = least === most ? `${least}` : `${least} to ${most}`
    return { message, hint: `it takes ${count} argument${most === 1 ? '' : 's'}` }
  }
  const expected = rule.expects?.(args)
  return expected === undefined ? undefined : { message, hint: `it takes ${expected}` }
}
