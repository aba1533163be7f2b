/** A register, with or without compare-and-set. */
import { encodeValue, type Value } from '../../../core/value.ts'
import { showValue } from '../../../core/value-text.ts'
import {
  booleanOnly,
  type OperationRule,
  returned,
  saying,
  saysNothing,
  tableSpecification,
} from '../operation-table.ts'
import { registerDecision } from '../register-zones.ts'
import { type Specification, sameResult } from '../specification.ts'
import { operationNames } from './names.ts'

/** `read` returns the value last written. What `write` returns says nothing. */
export function register(initial: Value = null): Specification<Value> {
  return tableSpecification({
    ...shared(initial),
    name: 'register',
    aliases: operationNames.register,
    rules: { read, write },
    decide: (calls, show) => registerDecision(calls, initial, show),
  })
}

/** `cas(from, to)`, also `cas([from, to])`, writes `to` and returns true if the value is `from`, else returns false. */
export function casRegister(initial: Value = null): Specification<Value> {
  return tableSpecification({
    ...shared(initial),
    name: 'cas-register',
    aliases: operationNames['cas-register'],
    rules: { read, write, cas },
    // Undecided as soon as there is a cas.
    decide: (calls, show) => registerDecision(calls, initial, show),
  })
}

function shared(initial: Value) {
  return {
    initial: () => initial,
    key: (value: Value) => (typeof value === 'string' ? `"${value}` : encodeValue(value)),
    describe: (value: Value) => showValue(value, 60),
  }
}

const read: OperationRule<Value> = { takes: 0, observes: true, apply: (value) => ({ state: value, returns: value }) }

const write: OperationRule<Value> = {
  takes: 1,
  says: () => saysNothing,
  apply: (_value, [written]) => ({ state: written }),
}

const cas: OperationRule<Value> = {
  takes: [1, 2],
  // Recorders that write down what was called instead of a result do so for those that succeeded.
  says: (value) => (Array.isArray(value) ? saying(true) : booleanOnly(value)),
  observes: (result) => returned(result, false),
  expects: (args) => (pairOf(args) === undefined ? 'from, to or a list of the two' : undefined),
  apply(value, args) {
    const [from, to] = pairOf(args) ?? []
    return sameResult(value, from) ? { state: to, returns: true } : { state: value, returns: false }
  },
}

function pairOf(args: readonly Value[]): readonly Value[] | undefined {
  if (args.length === 2) return args
  const [pair] = args
  return Array.isArray(pair) && pair.length === 2 ? (pair as readonly Value[]) : undefined
}
