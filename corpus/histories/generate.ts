/** The histories of this folder: from a seed, so that anybody can make them again, and with answers known from how they are made. */
import type { Call, CallResult, History } from '../../src/core/history.ts'
import { Random } from '../../src/core/random.ts'
import type { Value } from '../../src/core/value.ts'
import type { Specification } from '../../src/properties/linearizability/specification.ts'
import { builtInSpecification } from '../../src/properties/linearizability/specifications/catalogue.ts'
import { type Draw, type Shape, simulatedHistory } from './simulate.ts'

export interface CorpusHistory {
  readonly file: string
  readonly header: { readonly specification: string; readonly initial?: Value }
  readonly history: History
  readonly linearizable: boolean
}

type Last = readonly (readonly [operation: string, args: readonly Value[], result: Value])[]

interface Recipe {
  readonly specification: string
  readonly initial?: Value
  readonly draw: Draw
  /** Calls one after another that contradict each other in every state. */
  readonly contradiction: Last
}

const shape: Shape = { processes: 5, calls: 40, pending: 20, unknown: 15, wrong: 0 }

/** Per specification one that is linearizable by construction, and one with a contradiction at its end and no other. */
export function corpusHistories(): readonly CorpusHistory[] {
  return recipes.flatMap((recipe, at) => {
    const { specification, initial, contradiction, draw } = recipe
    const header = { specification, ...(initial === undefined ? {} : { initial }) }
    const object = objectOf(recipe)
    const yes = simulatedHistory(new Random(1000 + at), object, draw, shape)
    // Without calls that did not return: those could take effect between the last ones.
    const all = simulatedHistory(new Random(2000 + at), object, draw, { ...shape, pending: 0 })
    return [
      { file: `${specification}-yes.history.jsonl`, header, history: yes, linearizable: true },
      { file: `${specification}-no.history.jsonl`, header, history: followed(all, contradiction), linearizable: false },
    ]
  })
}

function objectOf({ specification, initial }: Recipe): Specification {
  const found = builtInSpecification(specification, initial === undefined ? {} : { initial })
  if (!('kind' in found)) throw new Error(found.message)
  return found
}

function followed({ calls }: History, last: Last): History {
  let time = Math.max(...calls.map((call) => call.returned))
  const added = last.map(([operation, args, value]): Call => {
    const result: CallResult = { kind: 'returned', value }
    time += 2
    return { process: 'last', operation, args, result, invoked: time - 1, returned: time }
  })
  return { calls: [...calls, ...added] }
}

const inAndOut =
  (put: string, take: string): Draw =>
  (random, call) =>
    random.below(2) === 0 ? [put, call] : [take]
const key = (random: Random): string => random.pick(['x', 'y', 'z'])

const recipes: readonly Recipe[] = [
  {
    specification: 'register',
    initial: 0,
    draw: (random) => (random.below(2) === 0 ? ['read'] : ['write', random.below(4)]),
    contradiction: [
      ['write', [1], null],
      ['read', [], 2],
    ],
  },
  {
    specification: 'cas-register',
    initial: 0,
    draw: (random) =>
      random.pick([['read'], ['write', random.below(4)], ['cas', random.below(4), random.below(4)]] as const),
    contradiction: [
      ['write', [3], null],
      ['cas', [2, 4], true],
    ],
  },
  {
    specification: 'counter',
    draw: (random) => [random.pick(['get', 'increment', 'getAndIncrement', 'decrementAndGet'])],
    contradiction: [['get', [], 1_000_000]],
  },
  {
    specification: 'set',
    draw: (random) => [random.pick(['add', 'remove', 'contains']), random.below(3)],
    contradiction: [
      ['add', [9], true],
      ['contains', [9], false],
    ],
  },
  {
    specification: 'map',
    draw: (random, call) =>
      random.below(2) === 0
        ? [random.pick(['get', 'remove']), key(random)]
        : [random.pick(['put', 'putIfAbsent']), key(random), call],
    contradiction: [
      ['put', ['x', 'last'], null],
      ['get', ['x'], 'first'],
    ],
  },
  {
    specification: 'kv',
    draw: (random, call) =>
      random.pick([
        ['get', key(random)],
        ['put', key(random), `${call}`],
        ['append', key(random), `+${call}`],
      ] as const),
    contradiction: [
      ['append', ['x', '!'], null],
      ['get', ['x'], ''],
    ],
  },
  {
    specification: 'queue',
    draw: inAndOut('enqueue', 'dequeue'),
    contradiction: [
      ['enqueue', ['a'], null],
      ['enqueue', ['b'], null],
      ['dequeue', [], 'b'],
    ],
  },
  {
    specification: 'stack',
    draw: inAndOut('push', 'pop'),
    contradiction: [
      ['push', ['a'], null],
      ['push', ['b'], null],
      ['pop', [], 'a'],
    ],
  },
  {
    specification: 'priority-queue',
    draw: inAndOut('insert', 'deleteMin'),
    contradiction: [
      ['insert', [-1], null],
      ['insert', [1000], null],
      ['deleteMin', [], 1000],
    ],
  },
  {
    specification: 'lock',
    draw: (random) => [random.pick(['tryAcquire', 'tryAcquire', 'release'])],
    contradiction: [
      ['tryAcquire', [], null],
      ['tryAcquire', [], true],
    ],
  },
  {
    specification: 'log',
    draw: (random, call) => random.pick([['append', call], ['read', random.below(12)], ['size']] as const),
    contradiction: [
      ['append', ['last'], null],
      ['size', [], 0],
    ],
  },
  {
    specification: 'multi-register',
    initial: { x: 0, y: 0 },
    draw: (random) => [
      'txn',
      [
        ['read', random.pick(['x', 'y']), null],
        ['write', random.pick(['x', 'y']), random.below(4)],
      ],
    ],
    contradiction: [
      ['txn', [[['write', 'x', 1]]], [['write', 'x', 1]]],
      ['txn', [[['read', 'x', null]]], [['read', 'x', 2]]],
    ],
  },
]
