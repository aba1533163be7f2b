/**
 * Monitors that are known by their states: told at once of what is sent and announced, they can be compared, and so be followed round a
 * cycle. A decision may tell a monitor several things; if it is cold in between, it was cold, though no state shows it.
 */

import { answerText } from '../core/answer.ts'
import { copyValue } from '../core/copy-value.ts'
import { DiagnosticError } from '../core/diagnostic.ts'
import type { CycleProperty } from '../core/property.ts'
import { runAs } from '../core/running.ts'
import { thrownIn } from '../core/thrown.ts'
import { encodeInOrder, freezeValue, type Value } from '../core/value.ts'
import type { Witness } from '../core/witness.ts'
import type { Watch, WatchDefinition } from '../program/watch.ts'

/** What monitors are, each in the order of their declaration. */
export interface Watched {
  readonly states: readonly Value[]
  /** Whether it was cold at some time since the state before. */
  readonly wasCold: readonly boolean[]
}

/** What a property sees of a monitor. */
interface Seen {
  readonly isHot: boolean
  readonly wasCold: boolean
}

/** With a witness, which is told whether there was anything to tell it. */
export function watchOf(definition: WatchDefinition, witness?: Witness): Watch {
  const { name, on } = definition
  witness?.ask('monitor-saw-nothing', name, 0)
  let isTold = witness === undefined
  return {
    name,
    first: frozen(definition, asked(definition, definition.state)),
    after(state, message) {
      const handler = on.get(kindOf(message))
      if (handler === undefined) return state
      if (!isTold) witness?.answer('monitor-saw-nothing', name)
      isTold = true
      const copy = copyValue(state)
      return frozen(definition, asked(definition, () => handler(copy, message)) ?? copy)
    },
    isHot(state) {
      const answer = asked(definition, () => definition.hot(state))
      if (typeof answer === 'boolean' || typeof answer === 'string') return answer !== false && answer !== ''
      const hint = 'return false where it waits for nothing, and what it waits for where it does'
      throw new DiagnosticError({
        code: 'E227',
        message: `"hot" of monitor "${name}" returned ${answerText(answer)}`,
        hint,
      })
    },
  }
}

function kindOf(message: Value): string {
  const kind = typeof message === 'object' && message !== null && (message as { readonly kind?: unknown }).kind
  return typeof kind === 'string' ? kind : ''
}

/** What it throws is no finding: nobody is told by which execution, so it is a mistake. */
function asked({ name, stack }: WatchDefinition, ask: () => unknown): unknown {
  try {
    return runAs(`monitor ${name}`, ask)
  } catch (error) {
    if (error instanceof DiagnosticError) throw error
    const { message, stack: thrown = stack } = thrownIn('monitor', name, error)
    throw new DiagnosticError({ code: 'E227', message, hint: 'a monitor with a state may not throw', stack: thrown })
  }
}

function frozen({ name, stack }: WatchDefinition, state: unknown): Value {
  const problem = freezeValue(state)
  if (problem === undefined) return state as Value
  const message = `the state of monitor "${name}" is not a value: state${problem.path} is ${problem.found}`
  throw new DiagnosticError({ code: 'E224', message, hint: 'plain data: objects, arrays, Map, Set, bigint', stack })
}

export function firstWatched(watches: readonly Watch[]): Watched {
  return { states: watches.map(({ first }) => first), wasCold: watches.map(() => false) }
}

/** After one decision, or one handler, that sent and announced this. */
export function watchedAfter(watches: readonly Watch[], before: Watched, told: readonly Value[]): Watched {
  const wasCold = watches.map(() => false)
  const states = watches.map((watch, at) =>
    told.reduce((state: Value, message) => {
      const next = watch.after(state, message)
      if (!watch.isHot(next)) wasCold[at] = true
      return next
    }, before.states[at] as Value),
  )
  return { states, wasCold }
}

export function watchedText({ states }: Watched): string {
  return encodeInOrder(states as Value)
}

/** By monitor; of a state that lasts it does not count what was on the way to it. */
export function watchedStates(
  watches: readonly Watch[],
  { states, wasCold }: Watched,
  isLasting: boolean,
): readonly (readonly [string, Value])[] {
  return watches.map((watch, at) => {
    const seen: Seen = {
      isHot: watch.isHot(states[at] as Value),
      wasCold: !isLasting && wasCold[at] === true,
    }
    return [watch.name, seen as unknown as Value]
  })
}

/** No fair execution is hot from some time on, and one that ends is not hot at its end. */
export function neverHotForEver({ name }: Watch): CycleProperty {
  const message = 'hot from some step on, and never cold again'
  return {
    kind: 'liveness',
    name,
    sees: 'cycle',
    violation: { kind: 'liveness', property: name, message },
    isGood: (states) => {
      const seen = states.get(name) as unknown as Seen | undefined
      return seen === undefined || !seen.isHot || seen.wasCold
    },
  }
}
