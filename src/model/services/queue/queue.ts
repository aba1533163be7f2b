/**
 * A queue between processes. What it may do beside its order is a matter of the budget of faults: at least once, a message may be
 * handed out again as often as there are `duplicates`, as after an acknowledgement that came late or got lost; at most once, it may be
 * gone as often as there are `losses`. A message that is rejected is handed out again, until it has been so `attempts` times: then it is
 * among the dead letters. It comes behind what was sent in the meantime, as where brokers limit attempts.
 *
 * A message that was taken by a process that has crashed since, and was not acknowledged before, is handed out again if it is delivered
 * at least once.
 */
import type { Performable } from '../../../core/lock.ts'
import { CompositeOperation, droppable, type Operation, repeatable } from '../../../core/operation.ts'
import { checkNoMore, checkShape, isFunction, needed, oneOf, type Shapes, shapes } from '../../../core/option-shape.ts'
import { mistake, running } from '../../../core/running.ts'
import { takingOnly } from '../../../core/taking-only.ts'
import { Address, freezeValue } from '../../../core/value.ts'
import { describe } from '../../describe.ts'
import { type Marked, notAValue, sendMarked } from '../../process.ts'
import { performed, type SectionBody } from '../../shared/critical-section.ts'
import { asking, created, Handle, type Question, type Steps, tell } from '../../shared/protocol.ts'
import { holds, requesting } from '../requests.ts'
import { type Delivery, deliveries, type Handed, type QueueParts, serveQueue } from './broker.ts'

export type { Delivery }

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

type Settling = 'ack' | 'reject'

/** Messages that were acknowledged or rejected. */
const settled = new WeakMap<object, Settling>()

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
      const words = `a message of ${queue.words}`
      const how = { waitsFor: words, begins: true }
      const { body, attempt, ...tag } = yield* requesting<Handed>(queue, { kind: 'queue.receive' }, how)
      let isHeld = true
      const release = (): void => {
        if (isHeld) holds(queue, -1, tag.tag)
        isHeld = false
      }
      // The queue has forgotten it.
      if (tag.tag === undefined) release()
      const settling = (by: Settling, question: Question) => {
        const before = settled.get(message)
        if (before !== undefined) refuseSettled(queue.words, by, before)
        settled.set(message, by)
        return new CompositeOperation(question.kind, function* (): Steps<void> {
          // No request that is counted: the queue may never read it.
          yield* tell(queue, question)
          release()
        })
      }
      const looked = queue.#looked()
      looked(false)
      const message: Delivered<Body> = {
        body: body as Body,
        attempt,
        ack: (...extra: readonly unknown[]) => {
          checkNoMore(extra, 'message.ack()')
          looked(true)
          return settling('ack', { kind: 'queue.ack', body, ...tag })
        },
        reject: (...extra: readonly unknown[]) => {
          checkNoMore(extra, 'message.reject()')
          return settling('reject', { kind: 'queue.reject', body, attempt, ...tag })
        },
      }
      return message
    })
  }

  /**
   * Takes messages for ever: those that `handle` is done with are acknowledged, those for which it throws are rejected, unless it has
   * done so itself.
   */
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
        if (!settled.has(message)) yield* isDone ? message.ack() : message.reject()
      }
    })
  }

  /** What was rejected as often as there are attempts. */
  deadLetters(): CompositeOperation<readonly Body[]> {
    return asking(this, { kind: 'queue.deadLetters' }, this.words)
  }

  /** Whether messages are acknowledged, which only those can be asked that come again otherwise. */
  #looked(): (isThere: boolean) => void {
    if (this.way.mark !== repeatable) return () => {}
    const subject = `messages that process "${running.process}" takes from ${this.words}`
    return (isThere) => running.looked.push({ code: 'message-never-acknowledged', subject, isThere })
  }

  private get words(): string {
    return `queue "${this.id}"`
  }
}

takingOnly(Queue, 'queue', { send: 'body', receive: '', consume: 'handle', deadLetters: '' })

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
        return { network: 'mailbox', mark: droppable }
      }
    },
    any: class LosingQueue<in out Body> extends Queue<Body> {
      protected get way(): Marked {
        return { network: 'bag', mark: droppable }
      }
    },
  },
}

/** Starts a queue. */
export function queue<Body = unknown>(options: QueueOptions): CompositeOperation<Queue<Body>>
export function queue(options: QueueOptions, ...extra: readonly unknown[]): CompositeOperation<Queue> {
  checkNoMore(extra, 'queue(options)')
  checkShape(options, queueShapes, { of: 'queue(…)' })
  const { delivery, order, name = 'queue', attempts = delivery === 'at least once' ? 3 : 1 } = options
  if (delivery === 'at most once' && attempts > 1) refuseAttempts(attempts)
  return created<Queue, [QueueParts]>(classes[delivery][order], name, serveQueue, { delivery, order, attempts })
}

function refuseSettled(of: string, by: Settling, before: Settling): never {
  return mistake({
    code: 'E220',
    message: `${by}() of a message of ${of} that was settled before, by ${before}()`,
    hint: 'settle each message once: at the second time brokers close the channel',
  })
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
