/** Full asynchrony (`asyn`): any message may overtake any other. */
import type { Network } from './network.ts'

export const bag: Network = { name: 'bag', holdsBack: () => false }
