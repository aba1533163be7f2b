/** Where the time of a local search goes (LMC §5.4, Figure 13): handlers, system states, soundness checks. */
import { Candidates } from '../../src/engines/local/candidates.ts'
import { Exploration } from '../../src/engines/local/exploration.ts'
import { SystemStates } from '../../src/engines/local/system-states.ts'

export interface Phases {
  handlersMs: number
  systemStatesMs: number
  checksMs: number
}

/** Counts from now on, for every search of this process. */
export function timePhases(): Phases {
  const phases: Phases = { handlersMs: 0, systemStatesMs: 0, checksMs: 0 }
  timeCalls(Exploration.prototype, 'step', phases, 'handlersMs')
  timeCalls(Exploration.prototype, 'deepen', phases, 'handlersMs')
  timeCalls(SystemStates.prototype, 'next', phases, 'systemStatesMs')
  timeCalls(Candidates.prototype, 'check', phases, 'checksMs')
  return phases
}

function timeCalls<Type extends object, Name extends keyof Type>(
  prototype: Type,
  name: Name,
  phases: Phases,
  phase: keyof Phases,
): void {
  const original = prototype[name] as (this: unknown, ...args: readonly unknown[]) => unknown
  const clock = <Result>(run: () => Result): Result => {
    const before = performance.now()
    try {
      return run()
    } finally {
      phases[phase] += performance.now() - before
    }
  }
  const timed = function (this: unknown, ...args: readonly unknown[]): unknown {
    const result = clock(() => Reflect.apply(original, this, args))
    return isGenerator(result) ? resumed(result, clock) : result
  }
  prototype[name] = timed as Type[Name]
}

/** A generator works whenever it is resumed. */
function* resumed(generator: Generator, clock: <Result>(run: () => Result) => Result): Generator {
  for (;;) {
    const { done, value } = clock(() => generator.next())
    if (done === true) return value
    yield value
  }
}

function isGenerator(value: unknown): value is Generator {
  return typeof value === 'object' && value !== null && Symbol.iterator in value && 'throw' in value
}
