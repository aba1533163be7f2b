/** Mailbox (`mbox`): messages to a process arrive in the order in which they were sent, whoever sent them. */
import type { Network } from './network.ts'

export const mailbox: Network = { name: 'mailbox', holdsBack: () => true }
