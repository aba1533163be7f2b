/**
 * What all shared objects have in common. A shared object is a daemon that serves requests (Must, §5); users hold a `Handle`,
 * which is an address with methods and so may be an argument of `spawn` or a part of a message.
 *
 * Replies come to the client's own inbox, where they cannot be confused with the user's messages. A reply carries a mark that
 * no message of a user's can have (`replies.ts`). And no receive of the user's takes one: a generator that has sent a request does
 * nothing else before it has the reply, and an async process leaves it to the receive that asks for its mark. A process of its own
 * per request would be as safe, but costs a spawn and a join each time. Neither adds executions: a reply is the only message that
 * its receive can take.
 *
 * Requests travel over `mailbox`, whatever the program's network: memory does not delay or reorder what is written to it. So
 * a request that needs no reply takes effect at the moment it is sent, and a server may leave it unread until it matters.
 * That is where executions are saved: a server only ever receives what can change its answers.
 */
import { CompositeOperation, Operation, reliable } from '../../core/operation.ts'
import { shown } from '../../core/option-shape.ts'
import { mistake } from '../../core/running.ts'
import { Address } from '../../core/value.ts'
import { self, sendOverMemory, spawn } from '../process.ts'
import { firstMark, freeMark, type Mark, ReplyFilter } from '../replies.ts'

/** The steps of a client or a server. Its receives do not count as what the user's process receives. */
export type Steps<Result> = Generator<Operation, Result, unknown>

/** What a client asks, before it is known who asks. */
export interface Question {
  readonly kind: string
  readonly [field: string]: unknown
}

/** What a server receives from a client. */
export interface Request {
  readonly kind: string
  readonly from: Address<unknown>
  /** Which of the questions that the client waits with it is, unless it is the only one. */
  readonly reply?: Mark
}

/** What users hold of a shared object. It has no state, so that one handle is as good as another. */
export abstract class Handle extends Address<never> {
  /** Public, unlike that of an address. */
  constructor(id: string) {
    super(id)
  }
}

/** Starts the daemon of a shared object and gives its handle. */
export function created<H extends Handle, Args extends readonly unknown[]>(
  type: new (id: string) => H,
  name: string,
  server: (...args: Args) => Steps<void>,
  ...args: Args
): CompositeOperation<H> {
  return new CompositeOperation(type.name, function* (): Steps<H> {
    const { id } = yield* spawn(name, { daemon: true, crashes: false }, server, ...args)
    return handleOf(type, id)
  })
}

/** Invariant: one handle per type and id, so that users may compare with `===`, as they may with addresses. */
const handles = new Map<new (id: string) => Handle, Map<string, Handle>>()

/** The handle of this type for the shared object whose daemon has this id. */
export function handleOf<H extends Handle>(type: new (id: string) => H, id: string): H {
  const known = handles.get(type) ?? new Map<string, Handle>()
  handles.set(type, known)
  const handle = known.get(id) ?? new type(id)
  known.set(id, handle)
  return handle as H
}

/** Sends a request and waits for the reply. `waitsFor` is what a deadlock report says the client waits for. */
export function asking<Result = void>(
  server: Address<never>,
  question: Question,
  waitsFor: string,
): CompositeOperation<Result> {
  return new CompositeOperation(question.kind, function* (): Steps<Result> {
    const { reply, release } = freeMark()
    yield* tell(server, reply === firstMark ? question : { ...question, reply })
    const filter = new ReplyFilter(waitsFor, reply)
    const answer = yield* new Operation<Reply>('receive', undefined, undefined, filter, undefined)
    release()
    return answer.value as Result
  })
}

/** Sends a request that needs no reply. */
export function telling(server: Address<never>, question: Question, mark = reliable): CompositeOperation<void> {
  return new CompositeOperation(question.kind, () => tell(server, question, mark))
}

export function* tell(server: Address<never>, question: Question, mark = reliable): Steps<void> {
  const from = yield* self()
  yield* sendOverMemory(Address.of<unknown>(server.id), { ...question, from }, mark)
}

interface Reply {
  readonly kind: string
  readonly value?: unknown
  readonly reply: Mark
}

/** Answers a request. */
export function* reply(to: Pick<Request, 'from' | 'reply'>, kind: string, value?: unknown): Steps<void> {
  const { from, reply = firstMark } = to
  const message: Reply = value === undefined ? { kind, reply } : { kind, value, reply }
  yield* withoutPlace(sendOverMemory(from, message))
}

/** Sends from one server of a shared object to another. */
export function* passOn(to: Address<never>, message: { readonly kind: string; readonly item?: unknown }): Steps<void> {
  yield* withoutPlace(sendOverMemory(Address.of<unknown>(to.id), message))
}

/** Reports a misuse that only the server can know of. */
export function* violated(message: string): Steps<void> {
  yield* new Operation<void>('assert', message, undefined, undefined, undefined)
}

/** What a server receives next: any request, those of a kind, or those a filter takes. */
export function* nextRequest<R extends { readonly kind: string } = Request>(
  where?: string | ((request: R) => boolean),
): Steps<R> {
  const takes = where as (message: unknown) => boolean
  const filter = typeof where === 'function' ? { waitsFor: 'a request', takes } : where
  return yield* withoutPlace(new Operation<R>('receive', undefined, undefined, filter, undefined))
}

/**
 * A request that a filter takes and that came before now; `undefined` if there is none. A poll would not do: it may find
 * nothing although something is there. The server's message to itself takes its place among those that come.
 */
export function* sentBeforeNow(takes: (request: Request) => boolean): Steps<Request | undefined> {
  const own = Address.of<never>((yield* self()).id)
  yield* passOn(own, { kind: 'now' })
  const first = yield* nextRequest<Request>((request) => request.kind === 'now' || takes(request))
  if (first.kind === 'now') return undefined
  yield* nextRequest('now')
  return first
}

/** A server has no line in the user's file; the next best on its stack would be the line that started the check. */
export function withoutPlace<Result>(operation: Operation<Result>): Operation<Result> {
  return operation.stack === undefined ? operation : Object.defineProperty(operation, 'stack', { value: undefined })
}

/** A number of things, given by a user. */
export function checkCount(what: string, count: unknown, least: number): void {
  if (Number.isSafeInteger(count) && (count as number) >= least) return
  mistake({
    code: 'E216',
    message: `${what} must be a whole number, at least ${least}, and is ${shown(count)}`,
    hint: `write a number such as ${least + 1}`,
  })
}
