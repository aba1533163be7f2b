/** Why a search got stuck, in words that are true of every order it tried, which are all there are. */
import type { Call } from '../../core/history.ts'
import type { Value } from '../../core/value.ts'
import { alternatives, eitherOf, showCall } from './call-text.ts'
import type { Contradiction } from './part-search.ts'
import { asking } from './specification-threw.ts'
import type { LinearizationSearch } from './wgl.ts'

const statesShown = 4

export function whyStuck(search: LinearizationSearch, calls: readonly Call[]): Contradiction {
  const at = search.stuck()
  const stuck = calls[at] as Call
  const numbers = search.statesWhenStuck()
  const { specification } = search.transitions
  const states = numbers.map((number) =>
    asking(specification, stuck, () => specification.describe(search.transitions.stateOf(number))),
  )
  return {
    longestPrefix: search.order().map((call) => calls[call] as Call),
    stuck,
    reason: reasonOf(search, at, stuck, states),
    culprits: [stuck],
    states,
  }
}

function reasonOf(search: LinearizationSearch, at: number, stuck: Call, states: readonly string[]): string {
  const { specification } = search.transitions
  const shown = states.slice(0, statesShown)
  if (states.length > shown.length) shown.push('something else')
  const when = `${showCall(stuck)} has no place: when all calls that returned before it have taken effect`
  const state = `the ${specification.name} is ${alternatives(shown)}, where it ${wouldDo(search, at)}`
  const earlier = search.wasPlaced(at) ? '; if it takes effect earlier, one of those calls has no place' : ''
  return `${when}, ${state}${earlier}`
}

function wouldDo(search: LinearizationSearch, call: number): string {
  const effects = search.statesWhenStuck().flatMap((state) => search.transitions.effects(state, call))
  const thrown = [...new Set(effects.flatMap(({ throws }) => throws ?? []))]
  const returned: Value[] = []
  for (const { returns, throws } of effects) {
    if (throws === undefined && !returned.some((one) => Object.is(one, returns))) returned.push(returns)
  }
  if (effects.length === 0) return 'cannot happen'
  const words = [
    ...(returned.length > 0 ? [`returns ${eitherOf(returned)}`] : []),
    ...thrown.map((one) => `throws ${one}`),
  ]
  return alternatives(words)
}
