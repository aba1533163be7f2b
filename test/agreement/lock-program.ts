/** Small programs that use locks and one atomic, as data, and how they are drawn. */
import { Random } from '../../src/core/random.ts'

export const lockKinds = ['mutex', 'semaphore', 'read-write lock', 'atomic'] as const
export type LockKind = (typeof lockKinds)[number]

export type Action =
  /** Has the lock while the body runs; `keeps` never gives it back. */
  | {
      readonly kind: 'hold'
      readonly at: Place
      readonly verb: 'acquire' | 'tryAcquire' | 'run'
      readonly keeps: boolean
      readonly body: readonly Action[]
    }
  /** Of what the process does not hold. */
  | { readonly kind: 'release'; readonly at: Place }
  | { readonly kind: AtomicVerb; readonly values: readonly [number, number] }

const atomicVerbs = ['load', 'store', 'exchange', 'compareAndSet', 'update', 'getAndAdd'] as const
type AtomicVerb = (typeof atomicVerbs)[number]

/** One of two locks, or a side of it. */
export type Place = `${'a' | 'b'}${'' | '.read' | '.write'}`

export interface LockProgram {
  readonly kind: LockKind
  readonly permits: number
  readonly processes: readonly (readonly Action[])[]
}

/** Every process gives back only what it holds, except that permits are nobody's. */
export function generateLocks(kind: LockKind, seed: number): LockProgram {
  const random = new Random(seed)
  // Atomics alone have many orders, and all of them are outcomes.
  const count = kind !== 'atomic' && random.below(3) === 0 ? 3 : 2
  const size = count === 3 ? 1 : 2
  return {
    kind,
    permits: random.below(3),
    processes: Array.from({ length: count }, () => actions(random, kind, size)),
  }
}

/** A process begins by giving back what it does not hold; none of them looks at anything but the lock. */
export function generateStrays(kind: 'mutex' | 'read-write lock', seed: number): LockProgram {
  const random = new Random(seed)
  // What `run` gives back at the end may have been taken from it, which is no result.
  const taking = () => section(random, kind, 0, ['acquire', 'tryAcquire'])
  const others = Array.from({ length: 2 }, () => [taking()])
  const after = random.below(2) === 0 ? [taking()] : []
  const stray: Action = { kind: 'release', at: place(random, kind, 'a') }
  return { kind, permits: 0, processes: [...others, [stray, ...after]] }
}

/** How a program ended: what each process has seen, or that it waits. */
export function lockEnding(results: readonly (string | undefined)[]): string {
  const waiting = results.flatMap((result, index) => (result === undefined ? [`p${index + 1}`] : []))
  const texts = results.map((result) => (result === undefined ? '' : JSON.stringify(result))).join(' || ')
  return waiting.length === 0 ? texts : `${texts}, waiting: ${waiting.join(' ')}`
}

function actions(random: Random, kind: LockKind, size: number): readonly Action[] {
  return Array.from({ length: 1 + random.below(size) }, () => action(random, kind, size))
}

function action(random: Random, kind: LockKind, depth: number): Action {
  if (kind === 'atomic' || random.below(4) === 0) return access(random)
  if (kind === 'semaphore' && random.below(3) === 0) return { kind: 'release', at: place(random, kind) }
  return section(random, kind, depth)
}

type Verb = Extract<Action, { kind: 'hold' }>['verb']

const allVerbs: readonly Verb[] = ['acquire', 'tryAcquire', 'run']

function section(random: Random, kind: LockKind, depth: number, verbs: readonly Verb[] = allVerbs): Action {
  const verb = random.pick(verbs)
  const body = depth > 0 && random.below(3) > 0 ? [action(random, kind, depth - 1)] : []
  return { kind: 'hold', at: place(random, kind), verb, keeps: verb !== 'run' && random.below(4) === 0, body }
}

function place(random: Random, kind: LockKind, only?: 'a'): Place {
  const lock = only ?? random.pick(kind === 'semaphore' ? ['a'] : (['a', 'a', 'b'] as const))
  return kind === 'read-write lock' ? `${lock}${random.pick(['.read', '.write'] as const)}` : lock
}

function access(random: Random): Action {
  return { kind: random.pick(atomicVerbs), values: [random.below(2), 1 + random.below(2)] }
}
