/** How finely the steps of a class are cut, unless its check says so. */
import { DiagnosticError } from '../../core/diagnostic.ts'
import { running } from '../../core/running.ts'
import type { ObjectCheck } from '../../program/object-check.ts'
import type { ValueArgument } from '../../properties/linearizability/client.ts'
import { parseClient } from '../../properties/linearizability/client-text.ts'
import { promised } from '../../semantics/memory/client-body.ts'
import type { ModuleState } from '../../semantics/memory/code.ts'
import { hasPromises } from '../../semantics/memory/operations-of.ts'
import { untilKnown } from '../../semantics/memory/search-error.ts'
import type { Granularity, ObjectSubject } from '../../semantics/memory/subject.ts'
import { ObjectWorld } from '../../semantics/memory/world.ts'
import { guardDeterminism } from '../guard.ts'
import { isAccessor, methodNames, spaceOf } from './clients.ts'

/**
 * A class whose operations give promises runs on one thread: only at an await can something else happen. It is the operations that say so,
 * however a check of them was asked for: in a file, from the source, or by clients.
 */
export function granularityOf(check: ObjectCheck, modules: ModuleState, instance: object): Granularity {
  const operations = operationsOf(check)
  const names = operations.size > 0 ? [...operations.keys()] : methodNames(instance)
  const methods = names.filter((name) => !isAccessor(instance, name))
  const isAsync = methods.some((name) => hasPromises(instance, name)) || givesPromise(check, modules, operations)
  return isAsync ? 'await' : 'access'
}

type Lists = readonly (readonly ValueArgument[])[]
type Operations = ReadonlyMap<string, Lists>

/** With the arguments that are known; clients tell those of operations of which nothing else does. */
function operationsOf(check: ObjectCheck): Operations {
  const { tried } = check
  const declared = check.operations.size > 0 ? check.operations : (tried?.operations ?? new Map())
  const { operations } = spaceOf({ ...check, operations: declared }, {})
  const known = new Map<string, Lists>([...operations].map(([name, lists]) => [name, lists.flatMap(ofValues)]))
  if (check.operations.size > 0) return known
  const clients = [...check.clients, ...(tried?.clients ?? [])].map((text) => parseClient(text))
  const calls = clients.flatMap((one) => (one.ok ? [...(one.value.setup ?? []), ...one.value.processes.flat()] : []))
  const called = new Map(calls.map(({ operation, args }) => [operation, ofValues(args)]))
  for (const [name, lists] of called) if ((known.get(name) ?? []).length === 0) known.set(name, lists)
  return known
}

/** Arguments that are results need an earlier call. */
function ofValues(args: readonly (ValueArgument | { readonly kind: string })[]): Lists {
  const values = args.filter((one): one is ValueArgument => one.kind === 'value')
  return values.length === args.length ? [values] : []
}

/** So many steps of a call that runs alone are enough to see what it gives. */
const mostSteps = 10_000

/** Source does not say of every method that it gives a promise, such as one that returns what another gives: so each is called once, alone. */
function givesPromise(check: ObjectCheck, modules: ModuleState, operations: Operations): boolean {
  let isPromised = false
  const before = promised.told
  promised.told = () => {
    isPromised = true
  }
  try {
    for (const [operation, [args]] of operations) {
      if (args === undefined || isPromised) continue
      callAlone({ ...alone, create: check.create, modules, processes: [[{ operation, args }]] })
    }
  } finally {
    promised.told = before
  }
  return isPromised
}

const alone = {
  setup: [],
  granularity: 'access',
  isTimed: false,
  isFused: false,
  sections: [],
  judge: () => undefined,
} as const

function callAlone(subject: ObjectSubject): void {
  const release = guardDeterminism()
  try {
    untilKnown(() => {
      const walk = new ObjectWorld(subject).walk()
      for (let [next] = walk.moves(); next !== undefined && walk.depth < mostSteps; [next] = walk.moves())
        walk.step(next.process)
    })
  } catch (error) {
    // What is wrong with the class is told when there is something to explore.
    if (!(error instanceof DiagnosticError)) throw error
    running.mistake = undefined
  } finally {
    release()
  }
}
