/**
 * Generator functions (ECMA-262 §27.5). What runs between two `yield`s is part of whoever asked for it, and each access in it a step like
 * any other. A coroutine that is resumed is run again from what it was told, unless one still stands there.
 */
import { isObject } from '../../core/is-object.ts'
import { loopLimit, running } from '../../core/running.ts'
import { accessModes, wholeObject } from '../../program/stateful.ts'
import type { Body } from './functions.ts'
import {
  type Coroutine,
  type GeneratorFunction,
  type GeneratorHistory,
  GeneratorState,
  generatorOf,
  generatorPrototypes,
  generatorWith,
  type Resumption,
  type ResumptionKind,
  type Standing,
  Yielded,
} from './generator-objects.ts'
import type { Heap } from './heap.ts'
import { go } from './invoke.ts'
import { made } from './made.ts'
import { notRepeated } from './not-repeated.ts'
import { access } from './operate.ts'
import { ActOperation } from './operations.ts'
import { type AccessOperation, type Interruptions, isOurs, machine, ObjectProcess, stop } from './process.ts'
import { refuse } from './search-error.ts'

const site = -700

const unbegun: GeneratorHistory = { previous: undefined, resumption: undefined, log: [], sites: [] }

/** What a call of the function gives: parameters have their values by then (§15.5.2), which is told of those that may take steps. */
export function* newGenerator(
  of: GeneratorFunction,
  self: unknown,
  args: readonly unknown[],
): Generator<unknown, object, unknown> {
  const standing: Standing = { kind: 'suspended', history: unbegun, at: undefined, returned: [] }
  const state = new GeneratorState(of, self, args, standing)
  const { prototype: own } = of.callable as { readonly prototype?: unknown }
  const prototype = isObject(own) ? own : of.isAsync ? generatorPrototypes.ofAsync : generatorPrototypes.ofSync
  if (of.takesSteps) {
    const coroutine: Coroutine = Reflect.apply(of.body, self, [...args])
    const passage = new Passage(state, { kind: 'next', value: undefined }, undefined)
    const step = yield* passage.run(coroutine)
    state.standing = passage.standing(standing, step.value as Yielded, coroutine)
  }
  return made(site, generatorWith(prototype, state)) as object
}

/** One way from `yield` to `yield`. */
export class Passage {
  readonly #state: GeneratorState
  readonly #resumption: Resumption
  /** Where it begins. */
  readonly #at: Yielded | undefined
  readonly #process = machine.process
  /** Where in the log of the process its answers begin. */
  readonly #from = machine.process?.cursor ?? 0

  constructor(state: GeneratorState, resumption: Resumption, at: Yielded | undefined) {
    this.#state = state
    this.#resumption = resumption
    this.#at = at
  }

  /** Hands on what its operations ask for. */
  *run(coroutine: Coroutine, self?: object): Generator<unknown, IteratorResult<unknown, unknown>, unknown> {
    const process = this.#process
    if (process === undefined) return yield* driven(coroutine, this.#at, this.#resumption)
    const { kind, value } = this.#resumption
    const parent = process.frame
    // What it will return when `finally` blocks are over is known to the language only.
    process.frame = { site: site - 1, live: kind === 'return' ? [self, value] : [self], parent }
    process.passages++
    try {
      return yield* driven(coroutine, this.#at, this.#resumption)
    } finally {
      process.passages--
      process.frame = parent
    }
  }

  history(previous: GeneratorHistory): GeneratorHistory {
    const resumption = this.#resumption
    if (this.#process === undefined) return { previous, resumption, log: [], sites: [], isLost: true }
    const { log, logSites, cursor } = this.#process
    return { previous, resumption, log: log.slice(this.#from, cursor), sites: logSites.slice(this.#from, cursor) }
  }

  /** Where the generator stands when it has come to a `yield`, and the coroutine that stands there. */
  standing(before: Standing, yielded: Yielded, coroutine: Coroutine): Standing {
    const { history, returned } = before as Extract<Standing, { kind: 'suspended' }>
    const { kind, value } = this.#resumption
    const now = this.history(history)
    this.#state.spare = { coroutine, history: now }
    const held = kind === 'return' ? [...returned, value] : returned
    return { kind: 'suspended', history: now, at: yielded, returned: held }
  }
}

function* driven(
  coroutine: Coroutine,
  at: Yielded | undefined,
  { kind, value }: Resumption,
): Generator<unknown, IteratorResult<unknown, unknown>, unknown> {
  // `yield*` hands on how it is resumed.
  let step = at?.kind === 'delegated' ? coroutine.next({ kind, value }) : coroutine[kind](value)
  for (;;) {
    if (step.done === true) return step
    if (step.value instanceof Yielded) {
      if (step.value.kind !== 'leaves') return step
      step = coroutine.return(step.value.value)
      continue
    }
    let answer: unknown
    try {
      answer = yield
    } catch (error) {
      step = coroutine.throw(error)
      continue
    }
    step = coroutine.next(answer)
  }
}

const everywhere: Interruptions = { mayInterrupt: () => true, blockedInside: () => {} }

/** A coroutine that stands where this history leads. */
export function coroutineAt(state: GeneratorState, history: GeneratorHistory, heap: Heap): Coroutine {
  const { spare } = state
  state.spare = undefined
  const stages: GeneratorHistory[] = []
  for (let stage: GeneratorHistory | undefined = history; stage !== undefined; stage = stage.previous)
    stages.unshift(stage)
  const isThere = spare?.history === history
  if ((machine.process !== undefined || !isThere) && stages.some(({ isLost }) => isLost)) refuseLost()
  if (isThere) return spare.coroutine
  const coroutine: Coroutine = Reflect.apply(state.made.body, state.self, [...state.args])
  const process = new ObjectProcess(-1, 'again', heap, everywhere)
  const [before, { fuel }] = [machine.process, running]
  machine.process = process
  running.fuel = loopLimit
  try {
    let at: Yielded | undefined
    for (const { resumption, log, sites } of stages) {
      if (resumption === undefined) continue
      Object.assign(process, { log, logSites: sites, cursor: 0, frame: undefined })
      const { done, value } = driven(coroutine, at, resumption).next()
      const step = value as IteratorResult<unknown, unknown> | undefined
      if (done !== true || step?.done === true || process.cursor < log.length) refuse(notRepeated(undefined, undefined))
      at = step?.value as Yielded
    }
  } finally {
    machine.process = before
    running.fuel = fuel
  }
  return coroutine
}

/** `generator.next(value)` and its kind (§27.5.1, §27.5.3). */
export function resuming(kind: ResumptionKind): Body {
  return function* (this: unknown, value) {
    const state = generatorOf(this)
    if (state === undefined || state.made.isAsync) throw new TypeError(`${kind} method called on incompatible receiver`)
    const self = this as object
    const resumption = { kind, value }
    const before = yield* performed(site - 2, [self, kind, value], self, begins(self, state, resumption))
    if ((before as Standing).kind !== 'suspended') {
      if (kind === 'throw') throw value
      return made(site - 3, { value: kind === 'return' ? value : undefined, done: true })
    }
    const { history, at } = before as Extract<Standing, { kind: 'suspended' }>
    const passage = new Passage(state, resumption, at)
    let step: IteratorResult<unknown, unknown>
    try {
      const coroutine = coroutineAt(state, history, machine.heap as Heap)
      step = yield* passage.run(coroutine, self)
      const { value: yielded } = step
      const now = () => (yielded instanceof Yielded ? passage.standing(before as Standing, yielded, coroutine) : over)
      yield* performed(site - 4, [self, yielded], self, ends(self, state, now))
    } catch (error) {
      if (!isOurs(error))
        yield* performed(
          site - 5,
          [self, error],
          self,
          ends(self, state, () => over),
        )
      throw error
    }
    const { value: given } = step
    if (!(given instanceof Yielded)) return made(site - 6, { value: given, done: true })
    return given.kind === 'delegated' ? given.value : made(site - 6, { value: given.value, done: false })
  }
}

export const over: Standing = { kind: 'over' }

/** A generator that has not begun has nothing to clean up. */
export function isUnbegun(standing: Standing): boolean {
  return standing.kind === 'suspended' && (standing.at === undefined || standing.at.kind === 'begun')
}

function begins(self: object, state: GeneratorState, { kind }: Resumption): AccessOperation {
  return new ActOperation({
    text: 'asks a generator to go on',
    operands: [self],
    touch: (heap) => heap.touch(self, wholeObject, accessModes.write),
    perform: (heap) => {
      const { standing } = state
      if (standing.kind === 'running') throw new TypeError('Generator is already running')
      if (standing.kind === 'over') return standing
      if (kind !== 'next' && isUnbegun(standing)) {
        become(self, state, over, heap)
        return over
      }
      become(self, state, { kind: 'running', returned: standing.returned }, heap)
      return standing
    },
  })
}

function ends(self: object, state: GeneratorState, now: () => Standing): AccessOperation {
  return new ActOperation({
    text: 'gives what a generator yields',
    operands: [self],
    touch: (heap) => heap.touch(self, wholeObject, accessModes.write),
    perform: (heap) => {
      become(self, state, now(), heap)
    },
  })
}

export function become(self: object, state: GeneratorState, standing: Standing, heap: Heap): void {
  const before = state.standing
  state.standing = standing
  heap.onRollBack(() => {
    state.standing = before
  })
  if (heap.isShared(self)) heap.publishContents(self)
}

export function* performed(
  at: number,
  live: readonly unknown[],
  object: object,
  operation: AccessOperation,
): Generator<unknown, unknown, unknown> {
  const answer = access(at, live, object, operation)
  return answer === stop ? yield* go() : answer
}

function refuseLost(): never {
  refuse({
    code: 'E307',
    message:
      'a generator that ran in a constructor, while modules were loaded, or for native code, cannot be gone on with',
    hint: 'ask it for its first element in a method, or keep in fields what it counts',
    stack: new Error().stack,
  })
}
