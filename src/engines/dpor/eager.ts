/**
 * The eager variant, `fifo-eager`: shows what ordering messages lazily saves (Must, §2.3.4 and Table 2, p2p-eager). Every
 * process gets a forwarder that takes its fifo messages as they arrive, from whomever, and passes them on; so executions that
 * differ only in the order of arrival of messages that no process reads are told apart. Its sole use is comparison.
 */
import { Operation } from '../../core/operation.ts'
import { Address } from '../../core/value.ts'
import type { ProcessStart } from '../../semantics/process-start.ts'

/** How the forwarder with this id begins, for the process it forwards to. A daemon, because it waits for ever. */
export function forwarding(id: string, to: string): ProcessStart {
  return { id, body: forwarder, args: [Address.of(to)], daemon: true, monitor: true, unbounded: true }
}

function* forwarder(to: Address<unknown>): Generator<Operation, void, unknown> {
  for (;;) {
    const message: unknown = yield* new Operation<unknown>('receive', undefined, undefined, undefined, undefined)
    yield* new Operation<void>('send', to, message, undefined, 'fifo')
  }
}
