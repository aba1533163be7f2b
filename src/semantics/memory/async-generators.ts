/**
 * Async generators (ECMA-262 §27.6.3). Requests wait in a queue. What answers them is code that goes on by itself, from the request that
 * finds the generator idle until the queue is empty; what the generator awaits, it awaits.
 */
import { dialect } from '../../jobs/dialect.ts'
import { accessModes, wholeObject } from '../../program/stateful.ts'
import type { Body } from './functions.ts'
import {
  type GeneratorHistory,
  type GeneratorState,
  generatorOf,
  type Request,
  type Resumption,
  type ResumptionKind,
  type Standing,
  Yielded,
} from './generator-objects.ts'
import { become, coroutineAt, isUnbegun, over, Passage, performed } from './generators.ts'
import type { Heap } from './heap.ts'
import { begin, go } from './invoke.ts'
import { pause } from './operate.ts'
import { ActOperation } from './operations.ts'
import { type AccessOperation, isOurs, machine, stop } from './process.ts'
import { openPromise, settledPromise, settleWith } from './promises.ts'
import { refuse } from './search-error.ts'
import { canSpawn, spawn } from './spawning.ts'

const site = -750

/** `generator.next(value)` and its kind (§27.6.1.2–4). */
export function requesting(kind: ResumptionKind): Body {
  return function* (this: unknown, value) {
    const state = generatorOf(this)
    if (state === undefined || !state.made.isAsync) {
      return settledPromise('rejected', new TypeError(`${kind} method called on incompatible receiver`))
    }
    const self = this as object
    const asked = yield* performed(site, [self, kind, value], self, asks(self, state, { kind, value }))
    const { promise, isFirst } = asked as Asked
    if (isFirst) yield* begunAnswering(self, promise)
    return promise
  }
}

function* begunAnswering(self: object, promise: unknown): Generator<unknown, void, unknown> {
  const { process } = machine
  const invocation = { body: answerBody, self, args: [] }
  if (process !== undefined) {
    begin(process, 'begin', invocation, site - 1, [promise])
    yield* go()
  } else if (canSpawn() && machine.isChecking) spawn(invocation)
  else if (Reflect.apply(answerBody, self, []).next().done !== true) refuseWaiting()
}

interface Asked {
  readonly promise: object
  readonly isFirst: boolean
}

function asks(self: object, state: GeneratorState, { kind, value }: Resumption): AccessOperation {
  return operationOn(self, 'asks an async generator to go on', (heap): Asked => {
    const { promise } = openPromise() as { readonly promise: Request['promise'] }
    const isIdle = state.requests.length === 0
    const isOver = state.standing.kind === 'over' || (kind !== 'next' && isUnbegun(state.standing))
    if (isIdle && isOver && kind !== 'return') {
      if (state.standing.kind !== 'over') become(self, state, over, heap)
      if (kind === 'throw') settleWith(promise, 'rejected', value)
      else settleWith(promise, 'fulfilled', { value: undefined, done: true })
      return { promise, isFirst: false }
    }
    queue(self, state, [...state.requests, { kind, value, promise }], heap)
    return { promise, isFirst: isIdle }
  })
}

const answerBody: Body = function* (this: unknown) {
  const self = this as object
  const state = generatorOf(self) as GeneratorState
  for (let isLeft: unknown = true; isLeft === true; ) {
    const taken = (yield* performed(site - 2, [self], self, takes(self, state))) as Taken
    const { resumption, standing } = taken
    isLeft =
      standing.kind === 'over'
        ? yield* drained(self, state, resumption)
        : yield* passed(self, state, resumption, standing as Suspended)
  }
  return undefined
}

type Suspended = Extract<Standing, { kind: 'suspended' }>

interface Taken {
  readonly resumption: Resumption
  readonly standing: Standing
}

function takes(self: object, state: GeneratorState): AccessOperation {
  return operationOn(self, 'lets an async generator go on', (heap): Taken => {
    const { standing } = state
    const [{ kind, value }] = state.requests as readonly [Request]
    const resumption = { kind, value }
    if (standing.kind === 'over' || (kind !== 'next' && isUnbegun(standing))) {
      if (standing.kind !== 'over') become(self, state, over, heap)
      return { resumption, standing: over }
    }
    become(self, state, { kind: 'running', returned: (standing as Suspended).returned }, heap)
    return { resumption, standing }
  })
}

/** AsyncGeneratorDrainQueue (§27.6.3.10), with AsyncGeneratorAwaitReturn. */
function* drained(self: object, state: GeneratorState, { kind, value }: Resumption): Settling {
  if (kind === 'throw') return yield* settled(self, state, 'rejected', value, () => over)
  let given: unknown
  try {
    if (kind === 'return') given = yield* awaited(site - 3, [self], value)
  } catch (error) {
    if (isOurs(error)) throw error
    return yield* settled(self, state, 'rejected', error, () => over)
  }
  return yield* settled(self, state, 'fulfilled', { value: given, done: true }, () => over)
}

/** AsyncGeneratorUnwrapYieldResumption (§27.6.3.7), and the code up to the next `yield`. */
function* passed(self: object, state: GeneratorState, asked: Resumption, before: Suspended): Settling {
  const { history, at } = before
  const resumption = asked.kind === 'return' ? yield* unwrapped(self, asked.value, at?.kind === 'delegated') : asked
  const passage = new Passage(state, resumption, at)
  let step: IteratorResult<unknown, unknown>
  const coroutine = coroutineAt(state, history as GeneratorHistory, machine.heap as Heap)
  try {
    step = yield* passage.run(coroutine, self)
  } catch (error) {
    if (isOurs(error)) throw error
    return yield* settled(self, state, 'rejected', error, () => over)
  }
  const { value } = step
  if (!(value instanceof Yielded)) return yield* settled(self, state, 'fulfilled', { value, done: true }, () => over)
  const now = () => passage.standing(before, value, coroutine)
  return yield* settled(self, state, 'fulfilled', { value: value.value, done: false }, now)
}

function* unwrapped(self: object, value: unknown, isDelegated: boolean): Generator<unknown, Resumption, unknown> {
  try {
    return { kind: 'return', value: yield* awaited(site - 4, [self], value) }
  } catch (error) {
    if (isOurs(error)) throw error
    return { kind: isDelegated && dialect.goesOnAfterRejectedReturn ? 'next' : 'throw', value: error }
  }
}

/** Whether requests are left. */
type Settling = Generator<unknown, unknown, unknown>

function* settled(
  self: object,
  state: GeneratorState,
  how: 'fulfilled' | 'rejected',
  value: unknown,
  now: () => Standing,
): Settling {
  const operation = operationOn(self, 'answers for an async generator', (heap) => {
    const [first, ...others] = state.requests as readonly [Request, ...Request[]]
    become(self, state, now(), heap)
    queue(self, state, others, heap)
    settleWith(first.promise, how, value)
    return others.length > 0
  })
  return yield* performed(site - 5, [self, how, value], self, operation)
}

function* awaited(at: number, live: readonly unknown[], value: unknown): Generator<unknown, unknown, unknown> {
  const result = pause(at, live, value)
  return result === stop ? yield* go() : result
}

function queue(self: object, state: GeneratorState, requests: readonly Request[], heap: Heap): void {
  const before = state.requests
  state.requests = requests
  heap.onRollBack(() => {
    state.requests = before
  })
  if (heap.isShared(self)) heap.publishContents(self)
}

function operationOn(self: object, text: string, perform: (heap: Heap) => unknown): AccessOperation {
  return new ActOperation({
    text,
    operands: [self],
    touch: (heap) => heap.touch(self, wholeObject, accessModes.write),
    perform,
  })
}

function refuseWaiting(): never {
  refuse({
    code: 'E303',
    message: 'an async generator waits while modules are loaded',
    hint: 'ask it for elements in a method that clients call',
    stack: new Error().stack,
  })
}
