/** Several registers, read and written by transactions that take effect at once. */
import type { CallResult } from '../../../core/history.ts'
import { encodeValue, sameValue, type Value } from '../../../core/value.ts'
import { showValue } from '../../../core/value-text.ts'
import { tableSpecification } from '../operation-table.ts'
import { isNothing, type Specification } from '../specification.ts'
import { operationNames } from './names.ts'

type Registers = ReadonlyMap<string, Value>
type Step = readonly [action: 'read' | 'write', register: string, value: Value]

/**
 * `txn(steps)` takes a list of `["read", register, null]` and `["write", register, value]`, also `r` and `w`, and returns
 * the same list with the values that were read. A read that returned null may have read anything.
 */
export function multiRegister(initial: Value = {}): Specification<Registers> {
  const start: Registers = new Map(Object.entries(initial ?? {}))
  return tableSpecification<Registers>({
    name: 'multi-register',
    aliases: operationNames['multi-register'],
    initial: () => start,
    key: (state) => encodeValue(state),
    describe: (state) => `{${[...state].map(([name, value]) => `${name}: ${showValue(value, 20)}`).join(', ')}}`,
    rules: {
      txn: {
        takes: 1,
        expects: ([steps]) =>
          stepsOf(steps) === undefined ? 'a list of ["read" | "write", register, value]' : undefined,
        observes: (_result, [steps]) => (stepsOf(steps) ?? []).every(([action]) => action === 'read'),
        apply: (state, [given], result) => transaction(state, stepsOf(given) ?? [], given, result),
      },
    },
  })
}

function transaction(state: Registers, steps: readonly Step[], given: Value, result: CallResult) {
  const after = new Map(state)
  const observed = result.kind === 'returned' ? stepsOf(result.value) : undefined
  let agrees = true
  const done = steps.map(([action, register, value], at): Value => {
    if (action === 'write') after.set(register, value)
    const found = after.get(register)
    const seen = observed?.[at]?.[2]
    if (action === 'read' && !isNothing(seen) && !sameValue(seen, found)) agrees = false
    return [action, register, found]
  })
  const told = observed !== undefined && observed.length === steps.length
  return { state: after, returns: result.kind !== 'returned' ? given : told && agrees ? result.value : done }
}

function stepsOf(value: Value): readonly Step[] | undefined {
  if (!Array.isArray(value)) return undefined
  const steps = (value as readonly Value[]).map(stepOf)
  return steps.every((step) => step !== undefined) ? steps : undefined
}

function stepOf(value: Value): Step | undefined {
  if (!Array.isArray(value)) return undefined
  const [action, register, content] = value as readonly Value[]
  if (typeof register !== 'string' && typeof register !== 'number') return undefined
  if (action === 'read' || action === 'r') return ['read', String(register), content]
  return action === 'write' || action === 'w' ? ['write', String(register), content] : undefined
}
