/**
 * The server of a queue. An acknowledgement changes nothing that others could see, so nobody reads it: when a client crashes, the queue
 * is told which messages were settled. It learns of that at any moment from then on, where a message is waited for, and where the client
 * has asked for one.
 */
import type { ConnectionLost } from '../../../core/connection-lost.ts'
import { reliable } from '../../../core/operation.ts'
import { running } from '../../../core/running.ts'
import type { Address } from '../../../core/value.ts'
import { self, sendMarked } from '../../process.ts'
import { nextRequest, type Request, reply, type Steps, sentBeforeNow, withoutPlace } from '../../shared/protocol.ts'
import { type ClientRequest, Clients, concerns, isLoss } from '../clients.ts'

export const deliveries = ['at most once', 'at least once'] as const
export type Delivery = (typeof deliveries)[number]

export interface QueueParts {
  readonly delivery: Delivery
  readonly order: 'fifo' | 'any'
  readonly attempts: number
}

interface Item {
  readonly kind: string
  readonly body: unknown
  readonly attempt: number
}

/** What is given to who asks. */
export interface Handed {
  readonly body: unknown
  readonly attempt: number
  /** Which of the messages that were handed out, where processes may crash. */
  readonly tag?: number
}

type Asking = Request | ConnectionLost
type News = (Item & Request & { readonly tag?: number }) | ConnectionLost

export function* serveQueue(parts: QueueParts): Steps<void> {
  const { id } = yield* self()
  const { order, delivery } = parts
  running.assumed.push(
    `queue "${id}" is ${order === 'any' ? 'in any order' : order}, ${delivery}: ${assumptions[delivery]}`,
  )
  const broker = new Broker(parts, running.connections !== undefined)
  for (;;) yield* broker.serve()
}

const assumptions: { readonly [delivery in Delivery]: string } = {
  'at least once':
    'a message comes again if it is rejected, or as often as there are duplicates in the budget of faults',
  'at most once': 'a message comes once, or not at all, as often as there are losses in the budget of faults',
}

class Broker {
  readonly #attempts: number
  readonly #isInOrder: boolean
  /** Whether it notes who has which message. */
  readonly #notes: boolean
  readonly #mayCrash: boolean
  readonly #clients = new Clients()
  readonly #dead: unknown[]
  #again: readonly Item[] = []
  readonly #handed = new Map<number, { readonly item: Item; readonly to: ClientRequest }>()
  #tags = 0

  constructor({ attempts, delivery, order }: QueueParts, mayCrash: boolean) {
    this.#attempts = attempts
    this.#isInOrder = order === 'fifo'
    this.#mayCrash = mayCrash
    this.#notes = mayCrash && delivery === 'at least once'
    this.#dead = []
  }

  /** One request, or the news that a client is gone. */
  *serve(): Steps<void> {
    const request = yield* nextRequest<Asking>(this.#asking())
    if (isLoss(request)) return yield* this.#lose(request)
    if (request.kind === 'queue.deadLetters') return yield* this.#tellDead(request)
    const asked = this.#clients.noted(request.from as Address<never>)
    if (this.#clients.isGone(asked)) return
    while (this.#again.length === 0) {
      yield* this.#learn(yield* nextRequest<News>(this.#news(asked)))
      if (this.#clients.isGone(asked)) return
    }
    const [item, ...others] = this.#again as [Item, ...Item[]]
    this.#again = others
    const { body, attempt } = item
    const tag = this.#notes ? { tag: ++this.#tags } : {}
    if (tag.tag !== undefined) this.#handed.set(tag.tag, { item, to: asked })
    yield* reply(request, 'queue.message', { body, attempt, ...tag })
  }

  *#learn(news: News): Steps<void> {
    if (isLoss(news)) return yield* this.#lose(news)
    if (news.kind === 'queue.item') this.#again = [news]
    else if (news.kind === 'queue.reject') yield* this.#takeBack(news, news.tag)
    else yield* reply(news, 'queue.dead', [...this.#dead])
  }

  *#tellDead(request: Request): Steps<void> {
    const isRejected = ({ kind }: Request): boolean => kind === 'queue.reject'
    for (let one = yield* sentBeforeNow(isRejected); one !== undefined; one = yield* sentBeforeNow(isRejected)) {
      const { tag, ...item } = one as Item & Request & { readonly tag?: number }
      yield* this.#takeBack(item, tag)
    }
    yield* reply(request, 'queue.dead', [...this.#dead])
  }

  *#takeBack({ body, attempt }: Item, tag: number | undefined): Steps<void> {
    if (tag !== undefined) this.#handed.delete(tag)
    const again: Item = { kind: 'queue.item', body, attempt: attempt + 1 }
    if (attempt >= this.#attempts) this.#dead.push(body)
    else if (this.#isInOrder) this.#again = [...this.#again, again]
    else yield* withoutPlace(sendMarked(yield* self(), again, inAnyOrder))
  }

  /** Requests, and of crashes those of clients whose requests are still to be read, or that leave a dead letter. */
  #asking(): (message: Asking) => boolean {
    if (!this.#mayCrash) return isAsking
    const burying = [...this.#handed.values()].filter(({ item }) => item.attempt >= this.#attempts).map(({ to }) => to)
    const { counts } = this.#clients
    return (message) => {
      if (!isLoss(message)) return isAsking(message)
      return message.asked > (counts.get(message.from.id) ?? 0) || burying.some((to) => concerns(message, to))
    }
  }

  /** What may have a message for this request, and crashes of clients that have one, or have made the request. */
  #news(asked: ClientRequest): (message: News) => boolean {
    if (!this.#mayCrash) return isNews
    const holders = [asked, ...[...this.#handed.values()].map(({ to }) => to)]
    return (message) => (isLoss(message) ? holders.some((to) => concerns(message, to)) : isNews(message))
  }

  /** All that the client has taken and not settled is handed out again. */
  *#lose(loss: ConnectionLost): Steps<void> {
    this.#clients.lost(loss)
    const { settled = [] } = loss
    const held = [...this.#handed].filter(([, { to }]) => concerns(loss, to))
    for (const [tag] of held) this.#handed.delete(tag)
    for (const [tag, { item }] of held) if (!settled.includes(tag)) yield* this.#takeBack(item, tag)
  }
}

/** To itself, among all that has not been handed out. */
const inAnyOrder = { network: 'bag', mark: reliable } as const

function isAsking({ kind }: { readonly kind: string }): boolean {
  return kind === 'queue.receive' || kind === 'queue.deadLetters'
}

function isNews({ kind }: { readonly kind: string }): boolean {
  return kind === 'queue.item' || kind === 'queue.reject' || kind === 'queue.deadLetters'
}
