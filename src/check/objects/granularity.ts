/** How finely the steps of a class are cut, unless its check says so. */
import { DiagnosticError } from '../../core/diagnostic.ts'
import { running } from '../../core/running.ts'
import type { ObjectCheck } from '../../program/object-check.ts'
import { promised } from '../../semantics/memory/client-body.ts'
import type { ModuleState } from '../../semantics/memory/code.ts'
import { hasPromises } from '../../semantics/memory/operations-of.ts'
import { untilKnown } from '../../semantics/memory/search-error.ts'
import type { Granularity, ObjectSubject } from '../../semantics/memory/subject.ts'
import { ObjectWorld } from '../../semantics/memory/world.ts'
import { guardDeterminism } from '../guard.ts'
import { isAccessor, methodNames, spaceOf } from './clients.ts'

/** A class whose methods give promises runs on one thread: only at an await can something else happen. */
export function granularityOf(check: ObjectCheck, modules: ModuleState, instance: object): Granularity {
  const operations = check.operations.size > 0 ? [...check.operations.keys()] : methodNames(instance)
  const methods = operations.filter((name) => !isAccessor(instance, name))
  const isAsync = methods.some((name) => hasPromises(instance, name)) || givesPromise(check, modules)
  return isAsync ? 'await' : 'access'
}

/** So many steps of a call that runs alone are enough to see what it gives. */
const mostSteps = 10_000

/** Source does not say of every method that it gives a promise, such as one that returns what another gives: so each is called once, alone. */
function givesPromise(check: ObjectCheck, modules: ModuleState): boolean {
  let isPromised = false
  const before = promised.told
  promised.told = () => {
    isPromised = true
  }
  try {
    for (const [operation, lists] of spaceOf(check, {}).operations) {
      // Arguments that are results need an earlier call.
      const [values] = lists.filter((list) => list.every(({ kind }) => kind === 'value'))
      const args = values?.flatMap((one) => (one.kind === 'value' ? [one] : []))
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
