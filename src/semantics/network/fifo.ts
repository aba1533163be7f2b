/** Peer-to-peer (`p2p`): messages from one process to another arrive in the order they were sent. */
import type { Network } from './network.ts'

export const fifo: Network = { name: 'fifo', holdsBack: (earlier, later) => earlier.sender === later.sender }
