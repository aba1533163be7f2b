/** Causal delivery (`cd`): a message waits for those whose sending happened before its own. */
import type { Network } from './network.ts'

export const causal: Network = {
  name: 'causal',
  holdsBack: (earlier, later) => (later.clock[earlier.sender] ?? 0) >= (earlier.clock[earlier.sender] ?? 0),
}
