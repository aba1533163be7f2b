/**
 * Generators under check, as objects of the heap. A coroutine can be neither copied nor compared, so what is kept of one is what it was
 * told (`History`), from which it is run again, and, for comparing states, where it stands and which values it still needs there.
 */
import type { ControlledPromise } from '../../jobs/promise-core.ts'
import type { Body } from './functions.ts'

/** What all iterators of the language inherit from. */
export const anyIterator = Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object

export type ResumptionKind = 'next' | 'throw' | 'return'

/** How a generator is asked to go on. */
export interface Resumption {
  readonly kind: ResumptionKind
  readonly value: unknown
}

/** What a coroutine gives where the code of the user stands at `yield`; where it only stops, it gives nothing. */
export class Yielded {
  /** `begun`: the parameters have their values. `leaves`: `yield*` was told to return, and the function around it is to. */
  readonly kind: 'yield' | 'delegated' | 'begun' | 'leaves'
  readonly value: unknown
  readonly site: number
  readonly live: readonly unknown[]

  constructor(kind: Yielded['kind'], value: unknown, site: number, live: readonly unknown[]) {
    this.kind = kind
    this.value = value
    this.site = site
    this.live = live
  }
}

/** What led to a `yield`: how the coroutine was resumed, and what its operations answered from there on. Never changes. */
export interface GeneratorHistory {
  readonly previous: GeneratorHistory | undefined
  /** Nothing before anything ran. */
  readonly resumption: Resumption | undefined
  readonly log: readonly unknown[]
  readonly sites: readonly number[]
  /** Its operations were answered outside of all processes, where nothing is kept: it cannot be run again. */
  readonly isLost?: boolean
}

/** Where a generator stands. Never changes. */
export type Standing =
  | {
      readonly kind: 'suspended'
      readonly history: GeneratorHistory
      /** Nothing where the body has not begun. */
      readonly at: Yielded | undefined
      /** What `return(value)` gave it, which it may hold while it yields in `finally`. */
      readonly returned: readonly unknown[]
    }
  | { readonly kind: 'running'; readonly returned: readonly unknown[] }
  | { readonly kind: 'over' }

/** A request to an async generator; they are answered one after the other (ECMA-262 §27.6.3). */
export interface Request extends Resumption {
  readonly promise: ControlledPromise
}

export interface GeneratorFunction {
  readonly callable: unknown
  readonly body: Body
  readonly isAsync: boolean
  /** Whether parameters do more than take what they are given. */
  readonly takesSteps: boolean
}

export class GeneratorState {
  readonly made: GeneratorFunction
  readonly self: unknown
  readonly args: readonly unknown[]
  standing: Standing
  /** Of an async generator; the first one is under way. */
  requests: readonly Request[] = []
  /** A coroutine that stands where this history leads, so that it need not be run again. */
  spare: { readonly coroutine: Coroutine; readonly history: GeneratorHistory } | undefined = undefined

  constructor(made: GeneratorFunction, self: unknown, args: readonly unknown[], standing: Standing) {
    this.made = made
    this.self = self
    this.args = args
    this.standing = standing
  }
}

/** Filled by `generator-methods.ts`, which is written with operations. */
export const generatorPrototypes = {
  ofSync: Object.create(anyIterator) as object,
  ofAsync: Object.create(Object.prototype) as object,
}

export type Coroutine = Generator<unknown, unknown, unknown>

const states = new WeakMap<object, GeneratorState>()

/** The state of a generator that code under check has made; nothing for other objects. */
export function generatorOf(object: unknown): GeneratorState | undefined {
  return typeof object === 'object' && object !== null ? states.get(object) : undefined
}

export function generatorWith(prototype: object, state: GeneratorState): object {
  const object = Object.create(prototype) as object
  states.set(object, state)
  return object
}

/** Everything that can be reached through it. */
export function reachedByGenerator({ made, self, args, standing, requests }: GeneratorState): readonly unknown[] {
  const asked = requests.flatMap(({ value, promise }) => [value, promise])
  const held = standing.kind === 'suspended' ? (standing.at?.live ?? []) : []
  const returned = standing.kind === 'over' ? [] : standing.returned
  return [made.callable, self, ...args, ...held, ...returned, ...asked]
}

/** What makes two generators equal. Of one that runs, who runs it has the rest. */
export function partsOfGenerator({ made, self, args, standing, requests }: GeneratorState): readonly unknown[] {
  const asked = requests.flatMap(({ kind, value, promise }) => [kind, value, promise])
  if (standing.kind === 'over') return ['over', ...asked]
  const { kind, returned } = standing
  const head = [kind, requests.length, ...asked, returned.length, ...returned]
  if (standing.kind === 'running') return head
  const { at } = standing
  return at === undefined ? [...head, made.callable, self, ...args] : [...head, at.kind, at.site, ...at.live]
}
