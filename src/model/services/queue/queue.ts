/**
 * A queue between processes. What it may do beside its order is a matter of the budget of faults: at least once, a message may be
 * handed out again as often as there are `duplicates`, as after an acknowledgement that came late or got lost; at most once, it may be
 * gone as often as there are `losses`. A message that is rejected is handed out again, until it has been so `attempts` times: then it is
 * among the dead letters. It comes behind what was sent in the meantime, as where brokers limit attempts.
 *
 * An acknowledgement changes nothing that others could see, so nobody reads it.
 */
import type { Performable } from '../../../core/lock.ts'
import { CompositeOperation, losable, type Operation, repeatable } from '../../../core/operation.ts'
import { checkNoMore, checkShape, isFunction, needed, oneOf, type Shapes, shapes } from '../../../core/option-shape.ts'
import { mistake, running } from '../../../core/running.ts'
import { Address, freezeValue } from '../../../core/value.ts'
import { describe } from '../../describe.ts'
import { type Marked, notAValue, self, sendMarked } from '../../process.ts'
import { performed, type SectionBody } from '../../shared/critical-section.ts'
import {
  asking,
  created,
  Handle,
  nextRequest,
  type Request,
  reply,
  type Steps,
  sentBeforeNow,
  telling,
} from '../../shared/protocol.ts'
import { refuseCrashes } from '../crashes.ts'

export const deliveries = ['at most once', 'at least once'] as const
export type Delivery = (typeof deliveries)[number]
const orders = ['fifo', 'any'] as const

export interface QueueOptions {
  readonly delivery: Delivery
  /** Whether messages come in the order in which they were sent. */
  readonly order: (typeof orders)[number]
  /** How often a message is handed out that is always rejected; 3 unless told. */
  readonly attempts?: number
  /** As reports call it. */
  readonly name?: string
}

const queueShapes: Shapes<QueueOptions> = {
  delivery: needed(oneOf(...deliveries)),
  order: needed(oneOf(...orders)),
  attempts: shapes.count,
  name: shapes.text,
}

/** A message as the one has it who received it. */
export interface Delivered<Body> {
  readonly body: Body
  /** From 1: how often it was handed out, as far as the queue knows. */
  readonly attempt: number
  /** It is done with. */
  ack(): CompositeOperation<void>
  /** It is handed out again, or is a dead letter. */
  reject(): CompositeOperation<void>
}

interface Item {
  readonly kind: string
  readonly body: unknown
  readonly attempt: number
}

/** A handle: it may be an argument of a process, and a part of a message. */
export abstract class Queue<in out Body = unknown> extends Handle {
  /** How its messages travel. */
  protected abstract get way(): Marked

  /** Appends a message. */
  send(body: Body): Operation<void> {
    const problem = freezeValue(body)
    if (problem !== undefined) notAValue('the message', problem)
    return sendMarked(Address.of(this.id), { kind: 'queue.item', body, attempt: 1 }, this.way)
  }

  /** Waits for a message and takes it. */
  receive(): CompositeOperation<Delivered<Body>> {
    const queue = this
    return new CompositeOperation('queue.receive', function* (): Steps<Delivered<Body>> {
      const { body, attempt } = yield* asking<Item>(queue, { kind: 'queue.receive' }, `a message of ${queue.words}`)
      return {
        body: body as Body,
        attempt,
        ack: () => telling(queue, { kind: 'queue.ack', body }),
        reject: () => telling(queue, { kind: 'queue.reject', body, attempt }),
      }
    })
  }

  /** Takes messages for ever: those that `handle` is done with are acknowledged, those for which it throws are rejected. */
  consume<Yielded>(
    handle: (body: Body, message: Delivered<Body>) => Performable<Yielded, unknown>,
  ): CompositeOperation<never, Yielded | Operation<never>>
  consume(handle: (body: Body, message: Delivered<Body>) => Promise<unknown>): CompositeOperation<never>
  consume(
    handle: (body: Body, message: Delivered<Body>) => ReturnType<SectionBody>,
  ): CompositeOperation<never, unknown> {
    if (!isFunction(handle)) refuseHandler(handle)
    const queue = this
    return new CompositeOperation('queue.consume', function* (): Generator<unknown, never, unknown> {
      for (;;) {
        const message = yield* queue.receive()
        let isDone = false
        try {
          yield* performed(handle(message.body, message))
          isDone = true
        } catch {
          // What has gone wrong with it is a matter of the next attempt.
        }
        yield* isDone ? message.ack() : message.reject()
      }
    })
  }

  /** What was rejected as often as there are attempts. */
  deadLetters(): CompositeOperation<readonly Body[]> {
    return asking(this, { kind: 'queue.deadLetters' }, this.words)
  }

  private get words(): string {
    return `queue "${this.id}"`
  }
}

/** A handle has no state, so what it knows of its queue is its class. */
const classes = {
  'at least once': {
    fifo: class RepeatingFifo<in out Body> extends Queue<Body> {
      protected get way(): Marked {
        return { network: 'mailbox', mark: repeatable }
      }
    },
    any: class RepeatingQueue<in out Body> extends Queue<Body> {
      protected get way(): Marked {
        return { network: 'bag', mark: repeatable }
      }
    },
  },
  'at most once': {
    fifo: class LosingFifo<in out Body> extends Queue<Body> {
      protected get way(): Marked {
        return { network: 'mailbox', mark: losable }
      }
    },
    any: class LosingQueue<in out Body> extends Queue<Body> {
      protected get way(): Marked {
        return { network: 'bag', mark: losable }
      }
    },
  },
}

/** Starts a queue. */
export function queue<Body = unknown>(options: QueueOptions): CompositeOperation<Queue<Body>>
export function queue(options: QueueOptions, ...extra: readonly unknown[]): CompositeOperation<Queue> {
  checkNoMore(extra, 'queue(options)')
  checkShape(options, queueShapes, { of: 'queue(…)' })
  refuseCrashes('queue()')
  const { delivery, order, name = 'queue', attempts = delivery === 'at least once' ? 3 : 1 } = options
  if (delivery === 'at most once' && attempts > 1) refuseAttempts(attempts)
  return created<Queue, [QueueOptions]>(classes[delivery][order], name, serve, { delivery, order, attempts })
}

function* serve({ delivery, order, attempts = 1 }: QueueOptions): Steps<void> {
  const { id } = yield* self()
  running.assumed.push(
    `queue "${id}" is ${order === 'any' ? 'in any order' : order}, ${delivery}: ${assumptions[delivery]}`,
  )
  const dead: unknown[] = []
  let again: readonly Item[] = []
  const takeBack = (rejected: Item): void => {
    if (rejected.attempt >= attempts) dead.push(rejected.body)
    else again = [...again, { ...rejected, attempt: rejected.attempt + 1 }]
  }
  for (;;) {
    const request = yield* nextRequest(isAsking)
    if (request.kind === 'queue.deadLetters') {
      for (let one = yield* rejectedBeforeNow(); one !== undefined; one = yield* rejectedBeforeNow()) takeBack(one)
    }
    if (request.kind === 'queue.deadLetters') {
      yield* reply(request, 'queue.dead', [...dead])
      continue
    }
    while (again.length === 0) {
      const next = yield* nextRequest<Item & Request>(isNews)
      if (next.kind === 'queue.item') again = [next]
      else if (next.kind === 'queue.reject') takeBack(next)
      else yield* reply(next, 'queue.dead', [...dead])
    }
    const [{ body, attempt }, ...others] = again as [Item, ...Item[]]
    again = others
    yield* reply(request, 'queue.message', { body, attempt })
  }
}

const assumptions: { readonly [delivery in Delivery]: string } = {
  'at least once':
    'a message comes again if it is rejected, or as often as there are duplicates in the budget of faults',
  'at most once': 'a message comes once, or not at all, as often as there are losses in the budget of faults',
}

function* rejectedBeforeNow(): Steps<Item | undefined> {
  return (yield* sentBeforeNow(({ kind }) => kind === 'queue.reject')) as Item | undefined
}

function isAsking({ kind }: Request): boolean {
  return kind === 'queue.receive' || kind === 'queue.deadLetters'
}

function isNews({ kind }: { readonly kind: string }): boolean {
  return kind === 'queue.item' || kind === 'queue.reject' || kind === 'queue.deadLetters'
}

function refuseHandler(found: unknown): never {
  return mistake({
    code: 'E220',
    message: `consume() needs a function and got ${describe(found)}`,
    hint: 'write await orders.consume(async (order) => { … })',
  })
}

function refuseAttempts(attempts: number): never {
  return mistake({
    code: 'E220',
    message: `a queue that delivers at most once was given ${attempts} attempts`,
    hint: "leave attempts out, or take delivery: 'at least once'",
  })
}
