/** What consensus is about, asked directly: a weaker question than the quorum tree, and violated later. */
import { invariant } from 'allways'

/** No two different values are decided. `decidedIn` says which are, in a state of the machine that `actions` makes. */
export function agreement<State>(decidedIn: (state: State) => readonly string[]) {
  return invariant<State>('agreement', (machines) => {
    const [decided = []] = Object.values(machines).map((state) => decidedIn(state))
    const [one, other] = [...new Set(decided)]
    return other === undefined || `${one} and ${other} are decided`
  })
}
