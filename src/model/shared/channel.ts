/**
 * Channels. An unbounded send needs no answer: the item waits in the server's inbox until somebody wants it, so that items nobody
 * receives add no executions. A bounded channel has a second process, the gate, which lets an item through when there is room.
 * One process for both ends would have to take sends and receives as they come, and count all their interleavings.
 */
import type { CompositeOperation } from '../../core/operation.ts'
import { checkNoMore, checkShape, type Shapes, shapes, shown } from '../../core/option-shape.ts'
import { takingOnly } from '../../core/taking-only.ts'
import { Address } from '../../core/value.ts'
import { self, spawn } from '../process.ts'
import {
  asking,
  checkCount,
  created,
  Handle,
  nextRequest,
  passOn,
  type Request,
  reply,
  type Steps,
  telling,
  withoutPlace,
} from './protocol.ts'

/** A queue of items: any number of processes may send and receive. */
export class Channel<in out T> extends Handle {
  /** Appends an item; waits for room if the channel is bounded and full. */
  send(item: T): CompositeOperation<void> {
    return telling(this, { kind: 'channel.item', item })
  }

  /** Waits for the next item and takes it; `undefined` once the channel is closed and empty. */
  receive(): CompositeOperation<T | undefined> {
    return asking(this, { kind: 'channel.receive' }, `an item from channel "${this.id}"`)
  }

  /** Ends the channel after the items sent so far; what is sent later is never received. */
  close(): CompositeOperation<void> {
    return telling(this, { kind: 'channel.close' })
  }
}

class BoundedChannel<in out T> extends Channel<T> {
  override send(item: T): CompositeOperation<void> {
    return asking(gateOf(this), { kind: 'channel.send', item }, `room in channel "${this.id}"`)
  }
}

takingOnly(Channel, 'channel', { send: 'item', receive: '', close: '' })
takingOnly(BoundedChannel, 'channel', { send: 'item' })

interface ChannelOptions {
  /** How many items may wait to be received; without it, any number. */
  readonly capacity?: number
}

const channelShapes: Shapes<ChannelOptions> = { capacity: shapes.anything }

/** Creates an empty channel. */
export function channel<T>(name: string, options?: ChannelOptions): CompositeOperation<Channel<T>>
export function channel<T>(
  name: string,
  options: ChannelOptions = {},
  ...extra: readonly unknown[]
): CompositeOperation<Channel<T>> {
  checkNoMore(extra, `channel(${shown(name)}, { capacity })`)
  checkShape(options, channelShapes, { of: `channel(${shown(name)}, …)` })
  const { capacity } = options
  if (capacity === undefined) return created(Channel<T>, name, serve)
  checkCount('the capacity of a channel', capacity, 1)
  return created(BoundedChannel<T>, name, serveBounded, capacity)
}

type Item = { readonly kind: 'channel.item'; readonly item: unknown } | { readonly kind: 'channel.close' }

function* serve(gate?: Address<never>): Steps<void> {
  for (;;) {
    const request = yield* nextRequest('channel.receive')
    const next = yield* nextRequest<Item>(isItem)
    if (next.kind === 'channel.close') return yield* serveClosed(request)
    yield* reply(request, 'channel.received', next.item)
    if (gate !== undefined) yield* passOn(gate, { kind: 'channel.room' })
  }
}

function isItem({ kind }: { readonly kind: string }): boolean {
  return kind !== 'channel.receive'
}

function* serveClosed(first: Request): Steps<void> {
  for (let request = first; ; request = yield* nextRequest('channel.receive')) yield* reply(request, 'channel.closed')
}

function* serveBounded(capacity: number): Steps<void> {
  const channel = yield* self()
  const gate = yield* withoutPlace(spawn('gate', { daemon: true }, guard, channel, capacity))
  yield* serve(gate)
}

/** The gate is a child of the channel's process, which gives it this name. */
function gateOf(channel: Handle): Address<never> {
  return Address.of(`${channel.id}/gate`)
}

function* guard(channel: Address<never>, capacity: number): Steps<void> {
  for (let room = capacity; ; ) {
    const request = yield* nextRequest<Request & { readonly item: unknown }>('channel.send')
    if (room > 0) room--
    else yield* nextRequest('channel.room')
    yield* passOn(channel, { kind: 'channel.item', item: request.item })
    yield* reply(request, 'channel.sent')
  }
}
