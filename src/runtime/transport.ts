/** How frames travel. A transport knows nothing of what is in them, and reports everything that goes wrong to its events. */
import { type Diagnostic, failure, type Result } from '../core/diagnostic.ts'
import { addressText, type HostAddress } from './address.ts'

export const transportNames = ['udp', 'tcp'] as const
export type TransportName = (typeof transportNames)[number]

export interface TransportEvents {
  /** A frame has come; the answer says whether it proves that its sender belongs here. */
  frame(bytes: Buffer): boolean
  /** Not even cut into frames. */
  refused(problem: 'oversized' | 'foreign'): void
  /** A frame that did not leave. */
  unsent(): void
}

export interface Transport {
  /** What arrives over one connection arrives in the order it was sent. */
  readonly keepsOrder: boolean
  /** Where it listens, with the port that was chosen. */
  readonly address: HostAddress
  /** Never throws and never waits: what cannot be sent is lost. */
  send(to: HostAddress, bytes: Buffer): void
  /** Another process listens there now: what is on its way to the one before may be given up. */
  renew(to: HostAddress): void
  /** Waits until what was sent is with the operating system. */
  close(): Promise<void>
}

export interface TransportOptions {
  readonly listen: HostAddress
  /** Of a frame, in bytes. */
  readonly longest: number
  /** Connections that may come in at a time. */
  readonly connections: number
  readonly events: TransportEvents
}

/** Why a socket could not be bound, in the user's words. */
export function notBound(listen: HostAddress, error: NodeJS.ErrnoException): Result<never> {
  return failure(bindMistake(addressText(listen), error))
}

const usual = 'listen at 127.0.0.1:0 for any port of this computer, or at 0.0.0.0:7001 for others to reach'

function bindMistake(shown: string, { code, message }: NodeJS.ErrnoException): Diagnostic {
  switch (code) {
    case 'EADDRINUSE':
      return { code: 'E602', message: `${shown} is in use`, hint: 'choose another port; 0 takes any that is free' }
    case 'EACCES':
      return { code: 'E602', message: `${shown} may not be used`, hint: 'ports below 1024 belong to the system' }
    case 'EADDRNOTAVAIL':
      return { code: 'E602', message: `${shown} is not an address of this computer`, hint: usual }
    default:
      return { code: 'E602', message: `no machine can listen at ${shown}: ${message}`, hint: usual }
  }
}
