/**
 * What users write: operations of a process (`yield*` in generators, `await` in async functions), monitors and final
 * conditions, and `program`, which binds them to a name, parameters and a network.
 *
 * Arguments are checked here, in the user's own stack frame, so that a mistake is reported at the line that made it.
 */
import { emptyAnnouncement } from '../core/announced.ts'
import {
  CompositeOperation,
  isProcessName,
  type NetworkName,
  Operation,
  type OperationKind,
  type ProcessBody,
  placeCapture,
  reliable,
  SettledOperation,
  type SpawnDetail,
  type Where,
} from '../core/operation.ts'
import { checkNoMore, checkShape, isFunction, type Shapes, shapes, shown } from '../core/option-shape.ts'
import { isForeignProxy } from '../core/plain-value.ts'
import { answeredAtOnce, mistake, running } from '../core/running.ts'
import { Address, freezeValue, type ValueProblem } from '../core/value.ts'
import { abstractObjectOf, uncalled } from '../program/refinement.ts'
import { describe } from './describe.ts'
import { refuseParameters } from './known-parameters.ts'
import { networkNamed } from './network.ts'
import { type From, hasOnly, type Receiving, reading, type Within } from './reading.ts'

declare const receives: unique symbol

/** An operation that takes messages of type `Message`; how `spawn` learns what a process accepts. */
export interface Receive<out Message, out Result = Message> extends Operation<Result> {
  readonly [receives]: Message
  [Symbol.iterator](): Iterator<this, Result, unknown>
}

/** The messages a body receives, from the operations it yields. `unknown` when it yields no typed receive. */
export type Received<Yielded> = [Extract<Yielded, Receive<unknown, unknown>>] extends [never]
  ? unknown
  : Extract<Yielded, Receive<unknown, unknown>> extends infer R
    ? R extends Receive<infer Message, unknown>
      ? Message
      : never
    : never

/** The messages of a kind. A member of a union may stand for several: of `{ kind: 'a' | 'b' }` it is that one of both. */
export type OfKind<Message, Kind extends string> = Message extends { readonly kind: infer Own }
  ? [Own] extends [Kind]
    ? Message
    : Kind extends Own
      ? Message & { readonly kind: Kind }
      : never
  : never

/** When the type does not tell kinds apart, all of them, with that kind. */
type Filtered<Message, Kind extends string> = [OfKind<Message, Kind>] extends [never]
  ? Message & { readonly kind: Kind }
  : OfKind<Message, Kind>

/** The return type of a process written as a named function: `function* client(server: Address<Request>): Process<Reply>`. */
export type Process<Message = unknown, Result = void> = Generator<
  Operation | Receive<Message, unknown>,
  Result,
  unknown
>

interface SpawnOptions {
  /** A daemon may wait for ever without that being a deadlock. */
  readonly daemon?: boolean
  /** Processes with equal tags are declared interchangeable. */
  readonly replica?: string
  /** False: faults never crash this process; see `faults` of `program`. */
  readonly crashes?: boolean
}

export type Body<Args extends readonly unknown[], Yielded> = (...args: Args) => Generator<Yielded, unknown, unknown>
/** Arguments beside a message type that was written down: TypeScript infers all type arguments or none. */
// biome-ignore lint/suspicious/noExplicitAny: the arguments of any function
export type Unchecked = any[]
export type AsyncBody<Args extends readonly unknown[]> = (...args: Args) => Promise<unknown>

/** Starts a process and returns its address. */
export function spawn<Args extends readonly unknown[], Yielded>(
  name: string,
  body: Body<Args, Yielded>,
  ...args: Args
): Operation<Address<Received<Yielded>>>
export function spawn<Args extends readonly unknown[], Yielded>(
  name: string,
  options: SpawnOptions,
  body: Body<Args, Yielded>,
  ...args: Args
): Operation<Address<Received<Yielded>>>
export function spawn<Message = unknown, Args extends readonly unknown[] = Unchecked>(
  name: string,
  body: AsyncBody<Args>,
  ...args: Args
): Operation<Address<Message>>
export function spawn<Message = unknown, Args extends readonly unknown[] = Unchecked>(
  name: string,
  options: SpawnOptions,
  body: AsyncBody<Args>,
  ...args: Args
): Operation<Address<Message>>
export function spawn(name: string, ...rest: readonly unknown[]): Operation<Address<unknown>> {
  const { options, body, args } = splitSpawn(rest)
  checkSpawn(name, body, args)
  if (options !== noOptions) checkShape(options, spawnShapes, { of: `spawn(${shown(name)}, …)` })
  const detail: SpawnDetail = {
    name,
    body: body as ProcessBody,
    args,
    daemon: options.daemon ?? false,
    replica: options.replica,
    crashes: options.crashes,
  }
  return new Operation('spawn', undefined, undefined, undefined, detail)
}

const spawnShapes: Shapes<SpawnOptions> = { daemon: shapes.flag, replica: shapes.text, crashes: shapes.flag }
const noOptions: SpawnOptions = {}

/** What follows the name: options, which may be left out, the body and its arguments. */
export function splitSpawn(rest: readonly unknown[]) {
  const object = rest.map(abstractObjectOf).find((one) => one !== undefined)
  if (object !== undefined)
    mistake({
      code: 'E212',
      message: `spawn(…) is given specification "${object.name}", which is neither a process nor a value`,
      hint: 'a specification is known wherever it is announced: make it once, outside of functions',
    })
  const isBody =
    typeof rest[0] === 'function' ||
    isCalled(rest[0]) ||
    (rest.length === 1 && rest[0] !== undefined && typeof rest[0] !== 'object')
  return isBody
    ? { options: noOptions, body: rest[0] as unknown, args: rest.slice(1) }
    : { options: (rest[0] === undefined ? noOptions : rest[0]) as SpawnOptions, body: rest[1], args: rest.slice(2) }
}

export function checkProcessName(what: string, name: unknown): void {
  if (isProcessName(name)) return
  mistake({
    code: 'E213',
    message: `${what} cannot be named ${typeof name === 'string' ? JSON.stringify(name) : describe(name)}`,
    hint: 'use a non-empty string without "/", "#" and control characters, other than "__proto__"',
  })
}

export function checkSpawn(name: unknown, body: unknown, args: readonly unknown[]): void {
  checkProcessName('a process', name)
  if (!isFunction(body)) refuseBody(String(name), body)
  // Arguments may be functions, but data is frozen: a shared array would be a hidden channel between processes.
  for (const [at, arg] of args.entries()) {
    const problem = freezeValue(arg, { functions: true })
    if (problem !== undefined) notAValue(`argument ${at + 1} of process "${String(name)}"`, problem)
  }
}

function refuseBody(name: string, body: unknown): never {
  if (isCalled(body))
    return mistake({
      code: 'E212',
      message: `the body of process "${name}" was called, and spawn(…) is given what the call gave`,
      hint: `pass the function itself, and its arguments after it: spawn('${name}', client, server), not client(server)`,
    })
  const hint =
    running.async === undefined
      ? 'pass a generator function: spawn(name, function* () { … })'
      : 'pass an async function: spawn(name, async () => { … })'
  return mistake({ code: 'E212', message: `the body of process "${name}" is ${describe(body)}`, hint })
}

/** What a generator function or an async function gives. */
function isCalled(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (value instanceof Operation || value instanceof CompositeOperation || isForeignProxy(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return /^\[object (Async)?Generator\]$/.test(Object.prototype.toString.call(value)) || 'then' in Object(prototype)
}

/** The address of the process that asks. */
export function self<Message = unknown>(): Operation<Address<Message>>
export function self(...extra: readonly unknown[]): Operation<Address<unknown>> {
  checkNoMore(extra, 'self()')
  return new Operation('self', undefined, undefined, undefined, undefined)
}

/** Waits for the end of a process. */
export function join(process: Address<never>): Operation<void>
export function join(process: Address<never>, ...extra: readonly unknown[]): Operation<void> {
  checkNoMore(extra, 'join(process)')
  checkAddress(process, 'join')
  return new Operation('join', process, undefined, undefined, undefined)
}

interface SendOptions {
  readonly network?: NetworkName
}

const sendShapes: Shapes<SendOptions> = { network: shapes.text }

/** Sends a message; never waits. The message is frozen. */
export function send<Message>(to: Address<Message>, message: NoInfer<Message>, options?: SendOptions): Operation<void>
export function send(to: Address<unknown>, ...rest: readonly unknown[]): Operation<void> {
  const [message, given, ...extra] = rest
  const options = given as SendOptions | undefined
  if (extra.length > 0) checkNoMore(extra, 'send(to, message, { network })')
  // One that is undefined may be meant.
  if (rest.length === 0)
    mistake({ code: 'E205', message: 'send() got no message', hint: "write send(to, { kind: 'ping' })" })
  if (options !== undefined && !hasOnly(options, 'network')) checkShape(options, sendShapes, { of: 'send(…)' })
  return sending(to, message, options?.network === undefined ? undefined : networkNamed(options.network), undefined)
}

/** A send over memory, whatever the program's network: the message arrives at once, and faults do not concern it. */
export function sendOverMemory(to: Address<unknown>, message: unknown, mark = reliable): Operation<void> {
  return sending(to, message, 'mailbox', mark)
}

/** A send of a service, which some faults concern and others not, as its mark says. */
export function sendMarked(to: Address<unknown>, message: unknown, how: Marked): Operation<void> {
  return sending(to, message, how.network, how.mark)
}

export interface Marked {
  readonly network: NetworkName
  readonly mark: Where
}

function sending(to: unknown, message: unknown, network: NetworkName | undefined, where: Where): Operation<void> {
  checkAddress(to, 'send')
  refuseParameters(message)
  const problem = freezeValue(message)
  if (problem !== undefined) notAValue(problem.path === '' ? 'the message' : 'message', problem)
  return new Operation('send', to, message, where, network)
}

export function notAValue(what: string, { path, found }: ValueProblem): never {
  return mistake({
    code: 'E205',
    message: `${path === '' ? what : `${what}${path}`} is ${found}, which is not a value`,
    hint: /\bOperation$/.test(found)
      ? 'write yield* in front of the operation, or await in an async function: its answer is what is meant'
      : 'values are plain data: JSON-like objects and arrays, addresses, Map, Set, bigint',
  })
}

function checkAddress(address: unknown, operation: string): void {
  if (address instanceof Address) return
  mistake({
    code: 'E204',
    message: `${operation}() needs the address of a process and got ${describe(address)}`,
    hint:
      address instanceof Operation
        ? `write yield* in front of ${address.kind}(…), or await in an async function: that gives the address`
        : 'spawn(…) and self() give addresses',
  })
}

/** Waits for the earliest message that matches and that the network allows; with `from`, of that process alone. */
export function receive<Message = unknown>(options: Within): Receive<Message, Message | undefined>
export function receive<Message extends { readonly kind: string }, Kind extends Message['kind'] = Message['kind']>(
  kind: Kind,
  options: Within,
): Receive<Filtered<Message, Kind>, Filtered<Message, Kind> | undefined>
export function receive<Message, Narrowed extends Message>(
  where: (message: Message) => message is Narrowed,
  options: Within,
): Receive<Message, Narrowed | undefined>
export function receive<Message>(
  where: (message: Message) => boolean,
  options: Within,
): Receive<Message, Message | undefined>
export function receive<Message = unknown>(options?: Receiving): Receive<Message>
export function receive<Message extends { readonly kind: string }, Kind extends Message['kind'] = Message['kind']>(
  kind: Kind,
  options?: Receiving,
): Receive<Filtered<Message, Kind>>
export function receive<Message, Narrowed extends Message>(
  where: (message: Message) => message is Narrowed,
  options?: Receiving,
): Receive<Message, Narrowed>
export function receive<Message>(where: (message: Message) => boolean, options?: Receiving): Receive<Message>
export function receive(
  first?: Where | Receiving,
  options?: Receiving,
  ...extra: readonly unknown[]
): Receive<unknown> {
  return reading('receive', first, options, extra)
}

/** Like `receive`, but may also find nothing at any time: both are explored. This is how timeouts are modelled. */
export function poll<Message = unknown>(options?: From): Receive<Message, Message | undefined>
export function poll<Message extends { readonly kind: string }, Kind extends Message['kind'] = Message['kind']>(
  kind: Kind,
  options?: From,
): Receive<Filtered<Message, Kind>, Filtered<Message, Kind> | undefined>
export function poll<Message, Narrowed extends Message>(
  where: (message: Message) => message is Narrowed,
  options?: From,
): Receive<Message, Narrowed | undefined>
export function poll<Message>(
  where: (message: Message) => boolean,
  options?: From,
): Receive<Message, Message | undefined>
export function poll(first?: Where | From, options?: From, ...extra: readonly unknown[]): Receive<unknown> {
  return reading('poll', first, options, extra)
}

/** One of the options; all are explored. */
export function choose<const Option>(options: readonly Option[]): Operation<Option>
export function choose(options: readonly unknown[], ...extra: readonly unknown[]): Operation<unknown> {
  checkNoMore(extra, 'choose(options)')
  if (!Array.isArray(options) || options.length === 0) {
    mistake({
      code: 'E210',
      message: `choose() needs ${Array.isArray(options) ? 'at least one option' : 'an array of options'} and got ${describe(options)}`,
      hint: Array.isArray(options) ? 'pass a non-empty array' : 'pass an array: choose([…options])',
    })
  }
  const problem = freezeValue(options)
  if (problem !== undefined) notAValue('options', problem)
  return new Operation('choose', undefined, options, undefined, undefined)
}

const assumed = new SettledOperation<void>('assume', undefined)
const asserted = new SettledOperation<void>('assert', undefined)

/** If false, this process stops here and the execution counts as blocked. A selective `receive` is usually cheaper. */
export function assume(condition: boolean): Operation<void>
export function assume(condition: boolean, ...extra: readonly unknown[]): Operation<void> {
  checkNoMore(extra, 'assume(condition)')
  if (typeof condition !== 'boolean') notACondition('assume', condition)
  if (condition) return settled('assume', assumed)
  return new Operation('assume', undefined, condition, undefined, undefined)
}

/** A property: false is a violation. */
export function assert(condition: boolean, message?: string): Operation<void>
export function assert(condition: boolean, message?: string, ...extra: readonly unknown[]): Operation<void> {
  checkNoMore(extra, 'assert(condition, message)')
  if (typeof condition !== 'boolean') notACondition('assert', condition)
  if (message !== undefined && typeof message !== 'string')
    mistake({
      code: 'E208',
      message: `assert() needs a text as its message and got ${describe(message)}`,
      hint: "write what should hold, as in assert(sum === 3, 'the sum is 3')",
    })
  if (condition) return settled('assert', asserted)
  return new Operation('assert', message ?? 'assertion failed', new Error().stack, undefined, undefined)
}

/** Of a process that is a generator each is one of its own: it is forgotten, or performed twice, as one that does not hold is. */
function settled(kind: OperationKind, shared: SettledOperation<void>): SettledOperation<void> {
  if (placeCapture.enabled) running.settledAt = new Error().stack
  answeredAtOnce(kind)
  return running.process === undefined || running.async !== undefined ? shared : new SettledOperation(kind, undefined)
}

/** A promise, an operation that was not performed and a function would always count as true. */
function notACondition(operation: string, condition: unknown): never {
  const hint = `compare, or write ${operation}(Boolean(…)); did a yield* or await get lost?`
  return mistake({ code: 'E208', message: `${operation}() needs true or false and got ${describe(condition)}`, hint })
}

/** Tells the monitors that observe it. */
export function announce(event: unknown): Operation<void>
export function announce(event: unknown, ...extra: readonly unknown[]): Operation<void> {
  checkNoMore(extra, 'announce(event)')
  const empty = emptyAnnouncement(event)
  if (empty !== undefined) mistake({ code: 'E208', ...empty })
  const operation = uncalled(event)
  if (operation !== undefined) mistake({ code: 'E205', ...operation })
  const problem = freezeValue(event)
  if (problem !== undefined) notAValue(problem.path === '' ? 'the announced event' : 'announced event', problem)
  return new Operation('announce', undefined, event, undefined, undefined)
}

/** Of a monitor: from now on it waits for something to come about, and no execution may end before it is `cold` again. */
export function hot(reason: string): Operation<void>
export function hot(reason: unknown, ...extra: readonly unknown[]): Operation<void> {
  checkNoMore(extra, 'hot(reason)')
  if (typeof reason === 'string' && reason !== '') return new Operation('hot', undefined, reason, undefined, undefined)
  return mistake({
    code: 'E208',
    message: `hot() needs a text that says what is waited for and got ${describe(reason)}`,
    hint: "hot('the answer to ann')",
  })
}

/** Of a monitor: it waits for nothing any more. */
export function cold(): Operation<void>
export function cold(...extra: readonly unknown[]): Operation<void> {
  checkNoMore(extra, 'cold()')
  return new Operation('cold', undefined, undefined, undefined, undefined)
}
