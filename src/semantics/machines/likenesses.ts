/** States that hold the same, of other objects: actions may not tell them apart. */
import { copyShared, copyValue, frozenCopy } from '../../core/copy-value.ts'
import type { Diagnostic } from '../../core/diagnostic.ts'
import type { Violation } from '../../core/property.ts'
import type { Unhurried } from '../../core/unhurried.ts'
import { freezeValue, type Value } from '../../core/value.ts'
import type { LocalState } from '../../program/machines.ts'
import type { Member } from './context.ts'
import { mistakenViolation } from './mistakes.ts'

/** Chance may tell apart what is alike as well, but not if each of the two is asked about again in this order. */
export const askedAgain = [0, 0, 1, 1, 0, 1] as const

/** The same state, of parts that nothing else has: for actions that compare identities it is another. */
export function apart(state: LocalState): LocalState {
  return { ...state, data: frozenCopy(state.data) }
}

/** The same state, in which parts that are alike are one object. */
export function together(state: LocalState): LocalState {
  const data = copyShared(state.data) as Value
  freezeValue(data)
  return { ...state, data }
}

/** The same state with other identities: parts that are alike are one object, or each is one of its own. Nothing may depend on that. */
export function likenesses(data: Value): readonly Value[] {
  const likenesses = [copyShared(data), copyValue(data)]
  for (const one of likenesses) freezeValue(one)
  return likenesses as readonly Value[]
}

export function comparesIdentities({ definition, setup: { self } }: Member): Violation {
  const diagnostic: Diagnostic = {
    code: 'E201',
    message: `machine "${self}" asks which objects the parts of its state are, and that is no part of the state`,
    hint: 'compare what they hold, as in state.q.round === state.r[0].round: === is for numbers, texts and the like',
    stack: definition.stack,
  }
  return mistakenViolation('exception', diagnostic, self, true)
}

/** Whether one of two states that answered differently answers otherwise now: `isAsBefore` asks. */
export function* isByChance<State>(
  first: State,
  second: State,
  isAsBefore: (state: State) => Unhurried<boolean>,
): Unhurried<boolean> {
  for (const one of askedAgain) if (!(yield* isAsBefore(one === 0 ? first : second))) return true
  return false
}
