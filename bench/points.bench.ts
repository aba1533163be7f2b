/**
 * An ordinary object at points that its author chose (`refines`), beside the search for an order of its calls, in one run: CPU time for the same calls. Values are few,
 * so that the search has no shortcut. Gates: both say the same of calls that are right, and of the same calls with a last one that no order allows.
 */
import { refuse, specification } from 'allways'
import type { Call } from '../src/core/history.ts'
import { Random } from '../src/core/random.ts'
import type { Value } from '../src/core/value.ts'
import { type AbstractCall, type AbstractObject, abstractObjectOf } from '../src/program/refinement.ts'
import { decideHistory } from '../src/properties/linearizability/decide-history.ts'
import type { Specification } from '../src/properties/linearizability/specification.ts'
import { builtInSpecification } from '../src/properties/linearizability/specifications/catalogue.ts'
import { best, secondsSince, table } from './measure.ts'

interface Kind {
  readonly name: 'register' | 'queue'
  readonly first: Value
  /** Result and what is left. */
  readonly carry: (state: Value, operation: string, value: Value) => readonly [Value, Value]
  readonly operations: readonly [writes: string, reads: string]
}

const kinds: readonly Kind[] = [
  {
    name: 'register',
    first: null,
    carry: (state, operation, value) => (operation === 'read' ? [state, state] : [null, value]),
    operations: ['write', 'read'],
  },
  {
    name: 'queue',
    first: [],
    carry: (state, operation, value) => {
      const items = state as readonly Value[]
      return operation === 'enqueue' ? [null, [...items, value]] : [items[0] ?? null, items.slice(1)]
    },
    operations: ['enqueue', 'dequeue'],
  },
]

interface Recorded {
  readonly calls: readonly Call[]
  /** In the order of their points. */
  readonly points: readonly { readonly operation: string; readonly value: Value; readonly result: Value }[]
}

/** Processes that begin a call, carry it out and return from it, whenever they like. */
function recorded({ first, carry, operations }: Kind, processes: number, count: number): Recorded {
  const random = new Random(1)
  const points: Recorded['points'][number][] = []
  const calls: Call[] = []
  const open = new Map<
    number,
    { readonly at: number; result?: Value; readonly operation: string; readonly value: Value }
  >()
  let state = first
  for (let moment = 0; calls.length < count || open.size > 0; moment++) {
    const process = random.below(processes)
    const one = open.get(process)
    if (one === undefined) {
      if (calls.length === count) continue
      const operation = random.pick(operations)
      const value = random.below(3)
      open.set(process, { at: calls.length, operation, value })
      const args = operation === operations[0] ? [value] : []
      const name = `p${process}`
      calls.push({ process: name, operation, args, result: { kind: 'pending' }, invoked: moment, returned: Infinity })
    } else if (one.result === undefined) {
      const [result, left] = carry(state, one.operation, one.value)
      state = left
      one.result = result
      points.push({ operation: one.operation, value: one.value, result })
    } else {
      const result = { kind: 'returned', value: one.result } as const
      calls[one.at] = { ...(calls[one.at] as Call), result, returned: moment }
      open.delete(process)
    }
  }
  return { calls, points }
}

function objectOf({ first, carry }: Kind) {
  return specification('object', {
    state: { now: first },
    operations: {
      call(state: { now: Value }, { operation, value, result }: Recorded['points'][number]) {
        const [expected, left] = carry(state.now, operation, value)
        return expected === result ? { now: left } : refuse(`it is ${expected}`)
      },
    },
  })
}

/** Right, and then a read of what was never written, after all others: whatever the search tries comes to it. */
function wronged({ calls, points }: Recorded, { operations }: Kind): Recorded {
  const [operation, moment, result] = [operations[1], Math.max(...calls.map(({ returned }) => returned)) + 1, 7]
  const last: Call = {
    process: 'p0',
    operation,
    args: [],
    result: { kind: 'returned', value: result },
    invoked: moment,
    returned: moment + 1,
  }
  return { calls: [...calls, last], points: [...points, { operation, value: 0, result }] }
}

/** Calls that overlap more have more orders, and all of them are tried where there is none. */
const sizes = [
  [2, 60],
  [3, 60],
  [4, 40],
] as const

const rows = kinds.flatMap((kind) =>
  sizes.flatMap(([processes, count]) => {
    const right = recorded(kind, processes, count)
    return [true, false].map((isRight) => {
      const { calls, points } = isRight ? right : wronged(right, kind)
      const object = objectOf(kind)
      const abstract = abstractObjectOf(object) as AbstractObject
      const called = points.map((one) => object.call(one))
      const sequential = builtInSpecification(kind.name) as Specification
      const atPoints = best(3, () => timed(isRight, () => allowed(abstract, called)), Number)
      const bySearch = best(isRight ? 3 : 1, () => timed(isRight, () => hasOrder(calls, sequential)), Number)
      const times = [atPoints, bySearch].map((seconds) => `${(1_000 * seconds).toFixed(1)} ms`)
      return [
        kind.name,
        `${count} by ${processes}`,
        isRight ? 'right' : 'wrong',
        ...times,
        `${(bySearch / atPoints).toFixed(2)} ×`,
      ]
    })
  }),
)
console.log('\nCalls of an object: at fixed points, and by a search for an order\n')
console.log(table(['object', 'calls', 'they are', 'at points', 'search', 'ratio'], rows))

function timed(isRight: boolean, run: () => boolean): number {
  const before = process.cpuUsage()
  if (run() !== isRight) throw new Error(`it is ${isRight ? 'right' : 'wrong'}`)
  return secondsSince(before)
}

function allowed(object: AbstractObject, calls: readonly AbstractCall[]): boolean {
  let state = object.first
  for (const call of calls) {
    const applied = object.after(state, call)
    if ('refused' in applied) return false
    state = applied.state
  }
  return true
}

function hasOrder(calls: readonly Call[], object: Specification): boolean {
  const decided = decideHistory({ calls }, object)
  return decided.ok && decided.value.linearizable
}
