/** An invariant whose answers are kept for an audit. */
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import { encodeValue } from '../../core/value.ts'
import type { SystemInvariant } from '../../program/machines.ts'
import type { Calls } from './calls.ts'

/** `sameIn` finds it in a system. */
export function notedInvariant<System>(
  invariant: SystemInvariant,
  calls: Calls<System>,
  sameIn: (system: System) => SystemInvariant,
): SystemInvariant {
  const { name, stack, decomposed } = invariant
  /** Asks, and keeps the answer; `kept` is the same question for later, when whoever asked may have changed the list it is about. */
  const noted = <Answer>(
    ask: (one: SystemInvariant) => Answer,
    textOf: (answer: Answer) => string,
    kept = () => ask,
  ): Answer => {
    const answer = ask(invariant)
    const place = calls.place()
    if (place !== undefined) {
      const [asked, text] = [kept(), textOf(answer)]
      calls.keep(place, (system) => {
        const again = askedAgain(() => textOf(asked(sameIn(system))))
        return again === text ? undefined : notDeterministic({ name, stack })
      })
    }
    return answer
  }
  return {
    name,
    stack,
    violation: (states, created) =>
      noted(
        (one) => one.violation(states, created),
        (found) => (found === undefined ? 'holds' : JSON.stringify(found.message)),
        () => {
          const copy = [...states]
          return (one) => one.violation(copy, created)
        },
      ),
    seen: (states) => invariant.violation(states),
    decomposed: decomposed && {
      fact: (machine, state) => noted((one) => one.decomposed?.fact(machine, state), encodeValue),
      conflict: (left, right) => noted((one) => one.decomposed?.conflict(left, right) === true, String),
    },
  }
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
