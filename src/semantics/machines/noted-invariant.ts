/** An invariant whose answers are kept for an audit. */
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import type { Violation } from '../../core/property.ts'
import { encodeValue, type Value } from '../../core/value.ts'
import type { LocalState, SystemInvariant } from '../../program/machines.ts'
import type { Calls } from './calls.ts'

/** `sameIn` finds it in a system. */
export function notedInvariant<System>(
  invariant: SystemInvariant,
  calls: Calls<System>,
  sameIn: (system: System) => SystemInvariant,
): SystemInvariant {
  const { name, stack, decomposed } = invariant
  /** Keeps an answer; `asked` is the same question for later, when whoever asked may have changed the list it is about. */
  const noted = <Answer>(answer: Answer, textOf: (answer: Answer) => string, asked: () => Asked<Answer>): Answer => {
    const place = calls.place()
    if (place !== undefined) {
      const same = sameAgain(asked(), textOf, textOf(answer))
      calls.keep(place, (system) => (same(sameIn(system)) ? undefined : notDeterministic({ name, stack })))
    }
    return answer
  }
  return {
    name,
    stack,
    violation: (states, created, remembered) =>
      noted(invariant.violation(states, created), textOfViolation, () =>
        violationIn(remembered?.() ?? withStates([...states]), created),
      ),
    seen: (states) => invariant.violation(states),
    decomposed: decomposed && {
      fact: (machine, state) => noted(decomposed.fact(machine, state), encodeValue, () => factOf(machine, state)),
      conflict: (left, right) => noted(decomposed.conflict(left, right), String, () => conflictOf(left, right)),
    },
  }
}

type Asked<Answer> = (one: SystemInvariant) => Answer

// Questions are made where nothing but what they ask about is in sight: a function keeps all that is around it.

function withStates(states: readonly LocalState[]): () => readonly LocalState[] {
  return () => states
}

function violationIn(
  states: () => readonly LocalState[],
  created: ReadonlyMap<string, LocalState> | undefined,
): Asked<Violation | undefined> {
  return (one) => one.violation(states(), created)
}

function factOf(machine: number, state: LocalState): Asked<Value | undefined> {
  return (one) => one.decomposed?.fact(machine, state)
}

function conflictOf(left: Value, right: Value): Asked<boolean> {
  return (one) => one.decomposed?.conflict(left, right) === true
}

function sameAgain<Answer>(
  asked: Asked<Answer>,
  textOf: (answer: Answer) => string,
  text: string,
): (one: SystemInvariant) => boolean {
  return (one) => askedAgain(() => textOf(asked(one))) === text
}

function textOfViolation(found: Violation | undefined): string {
  return found === undefined ? 'holds' : JSON.stringify(found.message)
}

/** What was answered and is refused now is another answer. */
function askedAgain(ask: () => string): string | undefined {
  try {
    return ask()
  } catch (error) {
    if (error instanceof DiagnosticError) return undefined
    throw error
  }
}

function notDeterministic({ name, stack }: Pick<SystemInvariant, 'name' | 'stack'>): Diagnostic {
  return {
    code: 'E201',
    message: `invariant "${name}" is not deterministic: asked about the same states, it first said one thing and then another`,
    hint: 'an invariant may depend on the states it is given, and on nothing else',
    stack,
  }
}
